import { Type } from 'class-transformer'
import { IsBoolean, IsDate, IsInt, IsOptional, IsUUID, Length, Max, Min, IsNumber } from 'class-validator'

/** The body of a create. */
export class CreateThingDto {
  @Length(1, 120)
  title: string

  @IsInt()
  @Min(0)
  @Max(1_000_000)
  amount: number

  @IsNumber()
  @Min(0)
  price: number

  @Type(() => Date)
  @IsDate()
  due: Date

  @Type(() => Date)
  @IsDate()
  startsAt: Date

  @IsBoolean()
  active: boolean
}

/** The query of a list. */
export class PageDto {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number

  @IsOptional()
  @IsUUID()
  after?: string
}
