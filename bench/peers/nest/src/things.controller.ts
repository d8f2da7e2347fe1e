import { Body, Controller, Get, Param, ParseUUIDPipe, Post, Query, Req } from '@nestjs/common'
import type { AuthenticatedRequest } from './auth.guard.js'
import { CreateThingDto, PageDto } from './things.dto.js'
import { ThingsService } from './things.service.js'

@Controller('thing')
export class ThingsController {
  constructor(private readonly things: ThingsService) {}

  @Get('all')
  async findAll(@Query() page: PageDto) {
    return { ThingList: await this.things.findAll(page) }
  }

  @Get(':id')
  findOne(@Param('id', ParseUUIDPipe) id: string) {
    return this.things.findOne(id)
  }

  @Post()
  create(@Body() body: CreateThingDto, @Req() request: AuthenticatedRequest) {
    return this.things.create(body, request.user.id)
  }
}
