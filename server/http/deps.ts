import type { TemplateService } from '../../schema/templates/templates.service.ts'
import type {
  ChangedCloud,
  CloudInput,
  CloudShown,
  CloudState,
  TriedCloud,
} from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import type { SessionHealth } from '../../schema/whatsapps/whatsapps.session.ts'
import type { Change } from '../commands/apply.ts'
import type { RunCommand } from '../commands/run.ts'
import type { AuthLog } from '../auth/auth-log.ts'
import type { Authenticator } from '../auth/authenticator.ts'
import type { Passes } from '../auth/passes.ts'
import type { Between } from '../between.ts'
import type { MakeLimiter } from '../limits.together.ts'
import type { SignInLimits } from '../auth/sign-in-limits.ts'
import type { Tokens } from '../auth/tokens.ts'
import type { Config } from '../config.ts'
import type { Invitations } from '../auth/invitations.changes.ts'
import type { TypedNumbers } from '../auth/typed-numbers.ts'
import type { Db, Sql, Tx } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { Callers } from '../external/external.callers.ts'
import type { SendForProgram } from '../external/external.send.ts'
import type { EventHub } from '../events/hub.ts'
import type { Logger } from '../log.ts'
import type { MediaLinks } from '../media/media.links.ts'
import type { MediaStore } from '../media/media-store.ts'
import type { ResolveTxt } from '../oidc/oidc.dns.ts'
import type { Outside } from '../outside/outside.ts'
import type { PushService } from '../push/push.sender.ts'
import type { Sealer } from '../seal.ts'
import type { RulesFacts } from '../automation/automation.facts.ts'
import type { Graphs } from '../automation/automation.graphs.ts'
import type { BotDeps } from '../bots/bots.call.ts'
import type { Payments } from '../invoices/invoices.charges.ts'
import type { WebhookSender } from '../webhooks/webhooks.deliver.ts'
import type { CompanyFacts } from '../settings/settings.facts.ts'

/** What the routes need of the connections; all wires are handed in by `server/main.ts`. */
export interface Sessions {
  /** Starts, or starts again, what the connection's row says is wanted. */
  start(whatsappId: number): Promise<void>
  /** Forgets the linked phone and asks for a new QR. */
  newQr(whatsappId: number): Promise<void>
  /** Unlinks the phone. */
  logout(whatsappId: number): Promise<void>
  restartAll(companyId: number): Promise<void>
  /** The connection is deleted: stops it and leaves the account. */
  forget(whatsappId: number): Promise<void>
  /** @returns the code to type on the phone, in place of the QR */
  requestPairingCode(whatsappId: number, number: string): Promise<string>
  /**
   * Whether WhatsApp knows the number.
   * @returns its canonical digits and, where it is known, the LID; or null when there is no such account
   * @throws DomainError `ERR_WAPP_NOT_INITIALIZED`, `ERR_WAPP_CHECK_CONTACT`
   */
  checkNumber(whatsappId: number, number: string): Promise<{ number: string; lid?: string | null } | null>
  /** Null for a connection that no server runs. */
  health(whatsappId: number): Promise<SessionHealth | null>
  /** Shows the contact that somebody is typing, or has stopped. */
  presence(whatsappId: number, contactId: number, state: 'composing' | 'paused'): Promise<void>
}

/** Setting up numbers of the official API, and the webhook by which it is heard; `server/cloud` does it. */
export interface Official {
  /** What the service says of these values; those left out are the connection's. @throws ERR_CLOUD_UNSET */
  check(given: TriedCloud, whatsappId?: number): Promise<CloudState>
  /** @throws ERR_CLOUD_REFUSED, ERR_CLOUD_TAKEN unless a connection may have this number */
  demand(input: CloudInput): Promise<{ portfolioId: string | null }>
  /** @param owner whose account it is; nobody's where that is not known */
  set(
    tx: Tx,
    companyId: number,
    whatsappId: number,
    input: CloudInput,
    owner?: { portfolioId: string | null },
  ): Promise<void>
  change(tx: Tx, whatsappId: number, patch: ChangedCloud): Promise<void>
  /** @throws ERR_CLOUD_UNSET */
  shown(whatsappId: number): Promise<CloudShown>
  /** @param here the address of this server, where the account is to tell it, and not whom the app tells. @throws ERR_CLOUD_REFUSED, ERR_CLOUD_UNSET */
  subscribe(whatsappId: number, here?: string): Promise<void>
  /** Asks for the past of the phone that shares the number. @throws ERR_CLOUD_REFUSED, ERR_CLOUD_UNSET, ERR_NOT_FOUND */
  askPast(whatsappId: number): Promise<void>
  register(whatsappId: number, pin: string): Promise<void>
  /** Whether the address and its word are a connection's. */
  isOurs(hook: string, verifyToken: string): Promise<boolean>
  /** Durable when it resolves. */
  take(hook: string, raw: Uint8Array, signature: string): Promise<'kept' | 'unknown' | 'forged'>
}

export interface Health {
  /** False when a load balancer should send people elsewhere. */
  ok: boolean
  [part: string]: unknown
}

/** Everything the HTTP side stands on; built in `server/main.ts`, and by tests. */
export interface AppDeps {
  db: Db
  sql: Sql
  config: Pick<Config, 'publicUrl' | 'trustProxy' | 'limitCalls' | 'maxUploadBytes' | 'mail' | 'sessionDays'> & {
    metricsToken?: Config['metricsToken']
    backup?: Config['backup']
  }
  log: Logger
  now: () => Date
  /** Milliseconds of a clock that never goes back, by which calls are counted; the machine’s where none is given. */
  limitTime?: () => number
  /** Buckets by which calls are counted, over all servers. */
  limiter: MakeLimiter
  /** The other servers; unset where there are none. */
  between?: Between
  runCommand: RunCommand
  /** Tells what was committed to whoever listens. */
  committed(changes: Change[]): void
  /** Says what programs say. */
  sendForProgram: SendForProgram
  /** Delivers what webhooks are told. */
  webhooks: Pick<WebhookSender, 'look'>
  /** Whose the tokens of programs are. */
  callers: Callers
  events: Events
  hub: EventHub
  media: MediaStore
  /** For programs that fetch the files of messages. */
  links: MediaLinks
  push: PushService
  /** For addresses that users name. */
  outside: Outside
  /** Reads the TXT records of a name; the DNS of the machine where none is given. */
  resolveTxt?: ResolveTxt
  /** For secrets that users write. */
  sealer: Sealer
  /** What companies have set. */
  facts: CompanyFacts
  /** What answers in an agent's place. */
  rules: RulesFacts
  graphs: Graphs
  /** Where services are whose address no admin names; for tests. */
  botBases?: BotDeps['bases']
  /** How companies pay the operator. */
  payments: Payments
  sessions: Sessions
  official: Official
  /** The message templates of official connections, at the service. */
  templates: TemplateService
  tokens: Tokens
  passes: Passes
  signIn: SignInLimits
  /** Numbers that are typed by people who may not read them. */
  typedNumbers: TypedNumbers
  /** Links by which people choose their first password. */
  invitations: Invitations
  authLog: AuthLog
  auth: Authenticator
  /** A user's profile, queues or `allTicket` changed, or the user is gone: drops what was decided by the old ones. */
  onRightsChanged(userId: number): void
  health(): Promise<Health>
  /** Of package.json. */
  version: string
  /** Folder of the built client; undefined serves none. */
  clientDir: string | undefined
  /** Folders of clients of other versions, whose pages are still open: their hashed files are answered as well. */
  clientsBeside?: readonly string[]
  /** Whether another server takes over: whoever calls once more is to find that one. */
  leaving?(): boolean
}
