import { lt } from 'drizzle-orm'
import { DataAccess } from './data-access.ts'
import { homeTable } from './schema.ts'

export class Datastore extends DataAccess {
  async findCheaper(rate: number) {
    const { id, address, nightlyRate } = homeTable
    return this.drizzle.select({ id, address, nightlyRate }).from(homeTable).where(lt(nightlyRate, rate))
  }

  async countHomes(): Promise<number> {
    const homes = await this.listHome()
    return homes.length
  }
}
