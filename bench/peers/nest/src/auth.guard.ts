import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common'
import { JwtService } from '@nestjs/jwt'
import type { Request } from 'express'

/** The payload of a token. */
export interface User {
  readonly id: string
}

/** A request with a valid token. */
export type AuthenticatedRequest = Request & { user: User }

@Injectable()
export class AuthGuard implements CanActivate {
  constructor(private readonly jwtService: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>()
    const [type, token] = request.headers.authorization?.split(' ') ?? []
    if (type !== 'Bearer' || token === undefined) throw new UnauthorizedException()
    try {
      request.user = await this.jwtService.verifyAsync<User>(token)
    } catch {
      throw new UnauthorizedException()
    }
    return true
  }
}
