import { type Static, Type } from '@sinclair/typebox'
import { folded } from '../choices.ts'
import { nullable, optionalRowId, patterned, rowId } from '../inputs.ts'
import { flowName, flowNodeInput, nodeId } from './flows.inputs.ts'

/** What people send of flows: edits of a draft, publishing, phrases, default flows. */

/** Operations in one edit of a draft. */
export const MOST_OPERATIONS = 300

/** What somebody saw of a node before they changed it; 0: that there was none. */
const rev = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const { type, data, exits, x, y } = flowNodeInput.properties
const strict = { additionalProperties: false }

/** One change of a draft. In one edit a node is changed once, and moved once. */
export const flowOperation = Type.Union([
  /** Makes a node, or changes what it says and where its ports lead. Where it stands counts only for a new one. */
  Type.Object({ op: Type.Literal('put'), node: nodeId, rev, type, x, y, data, exits }, strict),
  /** Where it stands is nobody's to lose: the last one to move it has their way. */
  Type.Object({ op: Type.Literal('move'), node: nodeId, x, y }, strict),
  /** Changes where its ports lead, and nothing else. */
  Type.Object({ op: Type.Literal('exits'), node: nodeId, rev, exits }, strict),
  Type.Object({ op: Type.Literal('remove'), node: nodeId, rev }, strict),
])
export type FlowOperation = Static<typeof flowOperation>

export const flowEdit = Type.Object(
  { flowId: rowId, operations: Type.Array(flowOperation, { minItems: 1, maxItems: MOST_OPERATIONS }) },
  strict,
)
export type FlowEdit = Static<typeof flowEdit>

/** A flow with what is in it from the first moment: a template, or a file that is read. */
export const madeFlow = Type.Object({ name: flowName, nodes: Type.Optional(Type.Array(Type.Unknown())) })
/** Renames a flow, or switches it on or off. */
export const changedFlow = Type.Object({
  flowId: rowId,
  name: Type.Optional(flowName),
  active: Type.Optional(Type.Boolean()),
})
export const duplicatedFlow = Type.Object({ flowId: rowId })
/** All of a flow in the form of other programs of the family. */
export const postedFlow = Type.Object({
  idFlow: rowId,
  nodes: Type.Array(Type.Unknown()),
  connections: Type.Array(Type.Unknown()),
})
/**
 * What becomes of contacts who are in the middle of an earlier version: they finish there, go on in the new one where
 * their block is still there, or are left to people.
 */
export const waitingRuns = ['stay', 'move', 'end'] as const
export type WaitingRuns = (typeof waitingRuns)[number]
export const publishedFlow = Type.Object({
  note: Type.Optional(Type.String({ maxLength: 500 })),
  waiting: Type.Optional(Type.Union(waitingRuns.map((each) => Type.Literal(each)))),
})
export const restoredFlow = Type.Object({ publish: Type.Optional(Type.Boolean()) })

const written = Type.Array(
  Type.Union([Type.String({ maxLength: 8_000 }), Type.Object({ secret: Type.String({ maxLength: 50 }) }, strict)]),
  {
    maxItems: 200,
  },
)
/** An outside call as a flow would make it, tried by whoever draws the flow. */
export const triedCall = Type.Object(
  {
    method: Type.Union((['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((each) => Type.Literal(each))),
    url: written,
    headers: Type.Array(Type.Object({ name: Type.String({ maxLength: 100 }), value: written }, strict), {
      maxItems: 30,
    }),
    body: nullable(written),
  },
  strict,
)

const phrase = patterned({ minLength: 1, maxLength: 255, pattern: '\\S' })
const campaignName = patterned({ minLength: 1, maxLength: 100, pattern: '\\S' })

/** All that people write of a phrase that begins a flow. */
export const flowCampaignInput = Type.Object({
  name: campaignName,
  flowId: rowId,
  /** Null: whichever connection it is written to. */
  whatsappId: nullable(rowId),
  phrase,
  status: Type.Boolean(),
})
export type FlowCampaignInput = Static<typeof flowCampaignInput>
export const newFlowCampaign = Type.Object({
  name: campaignName,
  flowId: rowId,
  whatsappId: Type.Optional(optionalRowId),
  phrase,
  status: Type.Optional(Type.Boolean()),
})
export const changedFlowCampaign = Type.Object({
  id: rowId,
  name: Type.Optional(campaignName),
  flowId: Type.Optional(rowId),
  whatsappId: Type.Optional(optionalRowId),
  phrase: Type.Optional(phrase),
  status: Type.Optional(Type.Boolean()),
})

/** `flowIdPhrase` is what other programs of the family call the flow for texts without a phrase. */
export const flowDefaultsInput = Type.Object({
  flowIdWelcome: optionalRowId,
  flowIdPhrase: optionalRowId,
})
export type FlowDefaultsInput = Static<typeof flowDefaultsInput>

/** Keys of calls that a company may keep. */
export const MOST_SECRETS = 100
/** As nodes name it, `{{secret:name}}`. */
const secretName = patterned({ minLength: 1, maxLength: 50, pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$' })
/** One line of what any header can carry; long enough to be told from what a service answers. */
const secretValue = patterned({ minLength: 4, maxLength: 4_000, pattern: '^[!-~]([ -~]*[!-~])?$' })
/** As `URL.host` writes it. */
const secretHost = patterned({
  minLength: 1,
  maxLength: 259,
  pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$',
})
const secretHosts = Type.Array(secretHost, { minItems: 1, maxItems: 10, uniqueItems: true })
/** Without hosts it is kept, and sent nowhere until somebody writes them. */
export const newFlowSecret = Type.Object(
  { name: secretName, value: secretValue, hosts: Type.Optional(secretHosts) },
  strict,
)
export type NewFlowSecret = Static<typeof newFlowSecret>
/** Hosts are changed with the value only: whoever does not have it may not have it sent to a place of their own. */
export const changedFlowSecret = Type.Object({ value: secretValue, hosts: Type.Optional(secretHosts) }, strict)
/** What is typed into the form of one. */
export const flowSecretForm = Type.Object({ name: secretName, value: secretValue, hosts: secretHosts }, strict)
export type FlowSecretForm = Static<typeof flowSecretForm>
/** The hosts in what somebody types or pastes, addresses too. */
export const hostsIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .map((part) =>
        part
          .replace(/^https?:\/\//, '')
          .split(/[/?#]/, 1)[0]!
          .replace(/:443$/, ''),
      )
      .filter((part) => part !== ''),
  ),
]

/** A phrase, or a message, as they are compared: without case, accents and punctuation, unless it is nothing else. */
export const phraseKey = (text: string): string => folded(text) || text.trim()

/** What a flow can send, with the most bytes of each; by what is in the file, not by its name. */
export const flowFileKinds = {
  img: { types: { png: 'image/png', jpg: 'image/jpeg' }, limit: 2_000_000 },
  audio: {
    types: { ogg: 'audio/ogg', oga: 'audio/ogg', ogx: 'audio/ogg', opus: 'audio/ogg', mp3: 'audio/mpeg' },
    limit: 5_000_000,
  },
  video: { types: { mp4: 'video/mp4' }, limit: 20_000_000 },
  document: {
    types: {
      pdf: 'application/pdf',
      docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      doc: 'application/msword',
      xls: 'application/vnd.ms-excel',
      ppt: 'application/vnd.ms-powerpoint',
      odt: 'application/vnd.oasis.opendocument.text',
      ods: 'application/vnd.oasis.opendocument.spreadsheet',
      csv: 'text/csv',
      txt: 'text/plain',
      zip: 'application/zip',
    },
    limit: 20_000_000,
  },
} as const satisfies Record<string, { types: Record<string, string>; limit: number }>
export type FlowFileKind = keyof typeof flowFileKinds
