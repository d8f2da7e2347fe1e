import { Injectable, NotFoundException } from '@nestjs/common'
import { PrismaService } from './prisma.service.js'
import type { CreateThingDto, PageDto } from './things.dto.js'

/** What clients do not see. */
const omit = { owner: true } as const

@Injectable()
export class ThingsService {
  constructor(private readonly prisma: PrismaService) {}

  findAll({ limit, after }: PageDto) {
    const where = after === undefined ? {} : { id: { gt: after } }
    return this.prisma.thing.findMany({ where, take: limit, orderBy: { id: 'asc' }, omit })
  }

  async findOne(id: string) {
    const thing = await this.prisma.thing.findUnique({ where: { id }, omit })
    if (thing === null) throw new NotFoundException(`Thing not found: ${id}`)
    return thing
  }

  create(thing: CreateThingDto, owner: string) {
    return this.prisma.thing.create({ data: { ...thing, owner }, omit })
  }
}
