import { Elysia, t } from 'elysia'
import type { CommandName } from '../../schema/catalog.ts'
import { DomainError, statusOf } from '../../schema/errors.ts'
import { newId } from '../../schema/ids.ts'
import type { Principal } from '../../schema/permissions.ts'
import { type Lined, mostTogether, runTogether } from '../commands/together.ts'
import { limits } from '../limits.ts'
import { discard, isMultipart, readUpload } from './body.ts'
import type { AppDeps } from './deps.ts'
import { asDomainError, refusalLog } from './errors.ts'
import { authed } from './guard.ts'
import { parseJson } from './json.ts'

const KEY = /^[A-Za-z0-9_-]{8,64}$/
const invalid = (path: string, message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })

/**
 * The idempotency key that a REST caller gave in `Idempotency-Key`, or a new one.
 * @throws DomainError `ERR_VALIDATION`
 */
export const commandKey = (request: Request): string => givenKey(request) ?? newId()

/**
 * The key that a caller gave, or null.
 * @throws DomainError `ERR_VALIDATION`
 */
export function givenKey(request: Request): string | null {
  const given = request.headers.get('idempotency-key')
  if (given !== null && !KEY.test(given)) throw invalid('Idempotency-Key', '8 to 64 letters, digits, - or _')
  return given
}

/** The id of a row that a REST caller makes: follows from the key, so that a repeated request is the same row. */
export function rowIdFor(who: Principal, key: string): string {
  const bytes = new Bun.CryptoHasher('sha256').update(`${who.companyId} ${who.userId} ${key}`).digest().subarray(0, 16)
  // A UUID of version 8.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

interface SentCommand {
  id: string
  name: CommandName
  input: Record<string, unknown>
}

/** The shape of what is sent; the runner checks the rest. */
function commandOf(value: unknown): SentCommand {
  const { id, name, input } = (value ?? {}) as Record<string, unknown>
  if (typeof id !== 'string' || !KEY.test(id)) throw invalid('id', '8 to 64 letters, digits, - or _')
  if (typeof name !== 'string') throw invalid('name', 'text')
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw invalid('input', 'an object')
  return { id, name: name as CommandName, input: input as Record<string, unknown> }
}

const parse = (text: string | undefined): unknown => parseJson(Buffer.from(text ?? ''), 'command')

/** Commands that bring a file. */
const carrying: ReadonlySet<string> = new Set(['messages.send', 'messages.sendTemplate'])

/** What a browser says of the file it brings; place, size and type are the server's to say. */
function claimOf(command: SentCommand): { name: string | undefined; voice: boolean } {
  const { name, voice } = (command.input.file ?? {}) as Record<string, unknown>
  return { name: typeof name === 'string' && name ? name.slice(0, 255) : undefined, voice: voice === true }
}

/** @throws DomainError `ERR_FILE_REQUIRED`: a path names a stored file, and only the server may say which */
function withoutFile(value: unknown): SentCommand {
  const command = commandOf(value)
  if (command.input.file != null) throw new DomainError('ERR_FILE_REQUIRED')
  return command
}

/** One of several. What is wrong with it is its own answer, not that of the others. */
function linedOf(value: unknown): Lined {
  const { lane } = (value ?? {}) as Record<string, unknown>
  try {
    return { lane: typeof lane === 'string' ? lane : '', call: withoutFile(value) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { lane: typeof lane === 'string' ? lane : '', call: error }
  }
}

/**
 * `POST /commands`: what browsers did, perhaps hours ago, in order; each once, however often it is sent.
 * `POST /commands/batch`: several of them.
 */
export function commandRoutes(deps: AppDeps) {
  const { media, runCommand, config, log } = deps
  const limiter = deps.limiter('commands', limits.commands)
  const noteRefusal = refusalLog(log)

  const withFile = async (request: Request, who: Principal) => {
    const upload = await readUpload(request, {
      media,
      companyId: who.companyId,
      maxBytes: config.maxUploadBytes,
      keyOf: (fields) => `${who.userId} ${commandOf(parse(fields.command)).id}`,
    })
    try {
      const command = commandOf(parse(upload.fields.command))
      const [file, ...more] = upload.files
      if (!file) throw new DomainError('ERR_FILE_REQUIRED')
      if (more.length > 0 || !carrying.has(command.name))
        throw invalid('file', 'one file, with messages.send or messages.sendTemplate')
      const { name, voice } = claimOf(command)
      const { path, size, mimetype } = file
      return await runCommand(who, {
        ...command,
        input: { ...command.input, file: { path, name: name ?? file.name, mimetype, size, voice } },
      })
    } catch (error) {
      // Refused for good; after any other failure the command may have been done all the same.
      if (error instanceof DomainError && statusOf(error) < 500) await discard(media, upload)
      throw error
    }
  }

  const one = new Elysia().use(authed(deps)).post(
    '/commands',
    async ({ who, request, body }) => {
      if (isMultipart(request)) return withFile(request, who)
      return runCommand(who, withoutFile(body))
    },
    {
      detail: {
        tags: ['commands'],
        summary: 'Do a command of the catalogue, once for each id',
        requestBody: {
          content: {
            'application/json': {
              schema: t.Object({
                id: t.String(),
                name: t.String(),
                input: t.Object({}, { additionalProperties: true }),
              }),
            },
            'multipart/form-data': {
              schema: t.Object({
                command: t.String({ description: 'the JSON, before the file' }),
                file: t.String({ format: 'binary' }),
              }),
            },
          },
          required: true,
        },
      },
    },
  )
  return one.post(
    '/commands/batch',
    async ({ who, body, request }) => {
      const { commands } = (body ?? {}) as Record<string, unknown>
      if (!Array.isArray(commands) || commands.length === 0 || commands.length > mostTogether)
        throw invalid('commands', `1 to ${mostTogether} of them`)
      const wait = config.limitCalls ? limiter.take(String(who.userId), commands.length) : 0
      if (wait > 0) throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter: wait })
      const failed = (error: unknown): DomainError => {
        const known = asDomainError(error)
        if (!known) log.error({ err: error }, 'a command failed')
        return known ?? new DomainError('INTERNAL_SERVER_ERROR')
      }
      const run: typeof runCommand = (...call) =>
        runCommand(...call).catch((error: unknown) => {
          if (error instanceof DomainError) noteRefusal(error, request)
          throw error
        })
      return { results: await runTogether(run, who, commands.map(linedOf), failed) }
    },
    {
      detail: {
        tags: ['commands'],
        summary: 'Do several commands, each once for its id; each has its own answer',
        description:
          'Commands of one `lane` are done in the order of the list. One that is refused stops no other. `results` has, for each, what `POST /commands` would answer, with its `status`.',
        requestBody: {
          content: {
            'application/json': {
              schema: t.Object({
                commands: t.Array(
                  t.Object({
                    id: t.String(),
                    name: t.String(),
                    input: t.Object({}, { additionalProperties: true }),
                    lane: t.Optional(t.String()),
                  }),
                  { minItems: 1, maxItems: mostTogether },
                ),
              }),
            },
          },
          required: true,
        },
      },
    },
  )
}
