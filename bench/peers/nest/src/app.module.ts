import { Module } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { JwtModule } from '@nestjs/jwt'
import { AuthGuard } from './auth.guard.js'
import { PrismaService } from './prisma.service.js'
import { ThingsController } from './things.controller.js'
import { ThingsService } from './things.service.js'

@Module({
  imports: [JwtModule.register({ secret: Buffer.from(process.env['JWT_SECRET'] ?? '', 'base64url') })],
  controllers: [ThingsController],
  providers: [PrismaService, ThingsService, { provide: APP_GUARD, useClass: AuthGuard }],
})
export class AppModule {}
