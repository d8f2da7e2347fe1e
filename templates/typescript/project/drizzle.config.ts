const service = process.env['SERVICE'] ?? ''

/** For Drizzle Studio and `drizzle-kit check`: `SERVICE=home DATABASE_URL=postgres://... npm run studio`. */
export default {
  dialect: 'postgresql',
  schema: `${service}/src/schema.ts`,
  out: `${service}-db/drafts`,
  dbCredentials: { url: process.env['DATABASE_URL'] ?? '' },
}
