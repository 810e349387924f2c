import { loadConfig } from '../../server/config.ts'
import { seedDemo } from '../../server/demo/seed.ts'
import { startApp } from '../../server/main.ts'

/** The server as `stack.ts` runs it: like `bun run start` without installing and building. Says where it is in a line of JSON. */
const app = await startApp(loadConfig(process.env), undefined, {
  clientDir: process.env.STACK_CLIENT,
  fastPostgres: process.env.STACK_FAST === '1',
})
const phone = process.env.STACK_DEMO
if (phone) await seedDemo({ db: app.deps.db, media: app.deps.media, phone })
process.stdout.write(`${JSON.stringify({ url: app.url, databaseUrl: app.databaseUrl })}\n`)
process.on('SIGTERM', () => {
  void app.stop().then(() => process.exit(0))
})
