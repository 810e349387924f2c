import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { nouns } from '../../schema/nouns.ts'
import { createShapeLink } from '../../sync/server/shape-link.ts'
import { type ShapeServer, startShapeServer } from '../../sync/shape-server/shape-server.ts'
import { seedOperator } from '../auth/seed-operator.ts'
import { createGraphs } from '../automation/automation.graphs.ts'
import { rulesFacts } from '../automation/automation.facts.ts'
import { campaignEmitter } from '../campaigns/campaigns.events.ts'
import { createBulkFacts } from '../campaigns/campaigns.settings.queries.ts'
import { chatEmitter } from '../chats/chats.events.ts'
import { type Change, followDecisions } from '../commands/apply.ts'
import { besideOf, connectDatabase, type Db, type Sql } from '../db/database.ts'
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { migrateDatabase, migrationsFolder } from '../db/migrate.ts'
import { createBetween } from '../between.ts'
import { rememberAway } from '../backup/backup.away.ts'
import { createEvents, type Events } from '../events/bus.ts'
import { createMailer } from '../mail/mailer.ts'
import { createMediaStore, mediaPlace } from '../media/media-store.ts'
import { createScan } from '../media/media.scan.ts'
import { patientMedia } from '../media/media.patient.ts'
import { plainAddress } from '../outside/addresses.ts'
import { createOutside } from '../outside/outside.ts'
import { createPushService } from '../push/push.sender.ts'
import { scheduleEmitter } from '../schedules/schedules.events.ts'
import { createSealer } from '../seal.ts'
import { demandKey } from '../sealed.ts'
import { rememberedOf, rememberErasure } from '../privacy/privacy.journal.ts'
import { createRuleBook } from '../rules/rules.follow.ts'
import { createSla } from '../sla-policies/sla.follow.ts'
import { companyFacts } from '../settings/settings.facts.ts'
import type { House } from './house.ts'

/** What is rung after a commit. Whoever hears it is built later, and says so here. */
export interface Bells {
  /** There are jobs to do. */
  jobs(): void
  /** There is something to deliver. */
  webhooks(): void
  /** A campaign can go on. */
  campaign(id: number): void
}

export type Data = Awaited<ReturnType<typeof buildData>>

/** What everything stands on: the database, files, what companies have set, the bus of events, the shapes. */
export async function buildData(house: House) {
  const { config, log, stops } = house
  const opened = await openDatabase(house)
  const { db, databaseUrl, ears, sealer } = opened
  const outside = createOutside({
    allow: config.outbound.allow,
    ca: config.outbound.caFile && readFileSync(config.outbound.caFile, 'utf8'),
    never: await placesOf(databaseUrl),
  })
  const facts = companyFacts(db)
  const scan = config.scanner && createScan(config.scanner, log.child({ part: 'media' }))
  const media = await createMediaStore({ ...mediaPlace(config), secret: config.jwtSecret, scan })
  // Only on a database of its own can a server be sure to be the only one.
  const shared = config.database.url !== undefined || house.options.lodging !== undefined
  const events = await createEvents({ sql: ears, log: log.child({ part: 'events' }), shared })
  stops.push(() => events.close())
  const between = shared ? await createBetween({ sql: ears, log: log.child({ part: 'events' }) }) : undefined
  stops.push(() => between?.close())
  const push = createPushService({
    db,
    sealer,
    subject: config.publicUrl?.startsWith('https:') ? config.publicUrl : `mailto:${config.admin.email}`,
    outside,
  })
  stops.push(() => push.stop())
  await push.refresh()
  const mailer = config.mail && createMailer(config.mail)
  stops.push(() => mailer?.stop())
  const lent = house.options.lodging?.ground.shapes
  const shapeLink = lent && createShapeLink(lent)
  stops.push(() => shapeLink?.close())
  const shapeServer = config.electric || shapeLink ? undefined : await openShapes(house, databaseUrl)
  const nudge = () => (shapeServer ?? shapeLink)?.nudge()
  const sla = createSla({ db, now: house.now, log: log.child({ part: 'sla' }) })
  const ruleBook = createRuleBook({ db, now: house.now })
  followDecisions(db, sla.follower, ruleBook.follower)
  // Also where another server wrote it down.
  events.listen(({ name, companyId }) => {
    if (name === 'slaPolicy' || name === 'company' || name === 'queue') sla.forget(companyId)
    if (name === 'rule') ruleBook.forget()
  })
  const graphs = createGraphs()
  const bells: Bells = { jobs: () => undefined, webhooks: () => undefined, campaign: () => undefined }
  return {
    ...opened,
    /** For jobs, which wait while the place of files is away. */
    patient: patientMedia(media),
    ...(between && { between }),
    ...{ outside, facts, media, shared, events, push, mailer, shapeServer, shapeLink, nudge, graphs, bells },
    rules: rulesFacts(db, facts, graphs),
    /** What erasing a person asks of others than the database. */
    erasing: {
      async remember(erasure: Parameters<typeof rememberedOf>[0]) {
        await rememberErasure(config.dataDir, rememberedOf(erasure))
        if (config.backup)
          await rememberAway(config.backup, rememberedOf(erasure), [1_000, 3_000]).catch((err: unknown) =>
            log.warn({ err }, 'an erasure is noted in the bucket with the next backup'),
          )
      },
    },
    sla,
    ruleBook,
    bulkFacts: createBulkFacts(db),
    emitCampaign: campaignEmitter({ db, events, log }),
    committed: afterCommit(house, { db, events, nudge, bells }),
  }
}

async function openDatabase({ config, log, options, stops }: House) {
  let databaseUrl = config.database.url ?? options.lodging?.ground.databaseUrl
  if (databaseUrl === undefined) {
    const postgres = await startEmbeddedPostgres({
      dataDir: config.dataDir,
      fast: options.fastPostgres ?? false,
      log: log.child({ part: 'postgres' }),
    })
    stops.push(postgres.stop)
    databaseUrl = postgres.url
  }
  await migrateDatabase(databaseUrl, migrationsFolder, {
    version: packageJson.version,
    beside: options.lodging?.beside?.version,
  })
  const { pooler } = config.database
  const { sql, db, close } = connectDatabase(pooler ?? databaseUrl, {
    max: config.database.poolSize,
    pooled: pooler !== undefined,
  })
  stops.push(close)
  // A pooler hears nothing for us.
  const direct = pooler === undefined ? undefined : connectDatabase(databaseUrl, { max: 1, name: 'balcao ears' })
  stops.push(() => direct?.close())
  const ears: Pick<Sql, 'listen' | 'notify'> = direct?.sql ?? sql
  await demandKey(sql, config.encryptionKey, { lost: config.encryptionKeyLost })
  const sealer = createSealer(Buffer.from(config.encryptionKey))
  besideOf(db).set('sealer', sealer)
  const seeded = await seedOperator(db, config.admin, sealer)
  if (seeded?.password)
    log.info(
      { email: seeded.email },
      `first start: the operator signs in as ${seeded.email} with the password ${seeded.password} (shown once)`,
    )
  return { databaseUrl, sql, db, ears, sealer }
}

async function openShapes({ config, log, stops }: House, databaseUrl: string): Promise<ShapeServer> {
  const shapes = await startShapeServer({
    databaseUrl,
    mode: 'closed',
    replicationId: 'balcao',
    spillDir: join(config.dataDir, 'shapes'),
    log: log.child({ part: 'shapes' }),
  })
  stops.push(() => shapes.stop())
  return shapes
}

/** What is done after each commit: shapes, jobs, deliveries and events come of what changed. */
function afterCommit(
  { log }: House,
  { db, events, nudge, bells }: { db: Db; events: Events; nudge: () => void; bells: Bells },
) {
  const emitChats = chatEmitter({ db, events, log: log.child({ part: 'chats' }) })
  const emitSchedules = scheduleEmitter({ db, events, log })
  return (changes: Change[], jobs = true) => {
    nudge()
    if (jobs) bells.jobs()
    emitChats(changes)
    emitSchedules(changes)
    bells.webhooks()
    for (const { companyId, table, action, id, ticketId, was } of changes) {
      const name = nouns[table].event
      // What is gone cannot be loaded; a ticket is deleted by a route, which knows who could see it.
      if (name && action !== 'delete')
        events.emit({ companyId, name, action, id, ...(ticketId && { ticketId }), ...(was && { was }) })
      else if (name === 'contact') events.emit({ companyId, name, action, id, payload: { contactId: id } })
    }
  }
}

/** Where the database is reached, as `OutsideDeps.never` names it. */
async function placesOf(databaseUrl: string): Promise<() => readonly string[]> {
  const { hostname, port } = new URL(databaseUrl)
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  const names = [hostname, ...found.map(({ address }) => plainAddress(address))]
  const places = names.map((name) => `${name}:${port || 5432}`)
  return () => places
}
