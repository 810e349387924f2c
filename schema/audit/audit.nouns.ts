/** Who may have acted: a person, a program by its key, a company's provider as it signs somebody in, somebody unknown, or the server by itself. */
export const actorKinds = ['user', 'key', 'provider', 'visitor', 'system'] as const
export type ActorKind = (typeof actorKinds)[number]

/** What is done to something, or with it. */
export const auditActions = [
  'create',
  'update',
  'delete',
  'login',
  'logout',
  'refused',
  'lock',
  'revoke',
  'publish',
  'start',
  'pause',
  'cancel',
  'finish',
  'export',
  'import',
  'impersonate',
  'reveal',
  'erase',
] as const
export type AuditAction = (typeof auditActions)[number]

/** What is changed. Rows of the first group are written by the triggers of `auditedTables`. */
export const auditEntities = [
  'user',
  'role',
  'queue',
  'queueOption',
  'connection',
  'setting',
  'company',
  'plan',
  'tag',
  'view',
  'customField',
  'macro',
  'rule',
  'prompt',
  'integration',
  'flow',
  'phrase',
  'flowDefaults',
  'flowSecret',
  'apiKey',
  'webhook',
  'template',
  'campaign',
  'campaignSetting',
  'segment',
  'slaPolicy',
  'report',
  'reportView',
  'reportSchedule',
  'contactList',
  'fileList',
  'announcement',
  'help',
  'branding',
  'invoice',
  'paymentAccount',
  'messagePrice',
  'signIn',
  'passkey',
  'session',
  'privacyRequest',
  'contacts',
  'optOuts',
  'job',
  'audit',
] as const
export type AuditEntity = (typeof auditEntities)[number]

interface Audited {
  entity: AuditEntity
  /** Shown as they were and as they are. */
  recorded: readonly string[]
  /** Only that they changed is told. */
  masked?: readonly string[]
  /** What the server writes for itself, and what says nothing to people. */
  left?: readonly string[]
  /** Not shown; their change is told in another way. */
  watched?: readonly string[]
  /** A row that ties something to a queue: it changes that something. */
  link?: string
  /** Nobody makes or deletes one: only its changes are told. */
  madeByClock?: true
}

const file = { recorded: ['mediaName'], left: ['mediaPath', 'mediaMime', 'mediaSize'] } as const
const times = ['createdAt', 'updatedAt'] as const

/**
 * Tables whose changes are written down, and what of each column. Their triggers are made of it (`audit.triggers.ts`):
 * `bun run migration` writes those that differ, and `bun run check` finds them. `tests/audit.test.ts` fails while a column
 * of one of these tables stands nowhere.
 */
export const auditedTables: Record<string, Audited> = {
  users: {
    entity: 'user',
    recorded: [
      ...['name', 'email', 'profile', 'roleId', 'super', 'allTicket', 'whatsappId'],
      ...['capacity', 'skillIds', 'awayAt', 'awayUntil'],
    ],
    masked: ['passwordHash'],
    left: [
      'online',
      'lastSeenAt',
      'tokenVersion',
      'firstStepsClosedAt',
      'passwordIsInitial',
      'passwordIsKnown',
      ...times,
    ],
  },
  roles: { entity: 'role', recorded: ['name', 'permissions', 'ticketScope', 'maskNumbers'], left: times },
  // Each says itself what it is of.
  invoices: {
    ...{ entity: 'invoice', madeByClock: true },
    recorded: ['status', 'paidVia'],
    left: ['detail', 'value', 'dueDate', 'months', 'paidAt', 'boughtFrom', 'boughtUntil', ...times],
  },
  payment_accounts: {
    entity: 'paymentAccount',
    recorded: ['provider', 'config'],
    masked: ['secrets'],
    left: ['updatedAt'],
  },
  message_prices: {
    entity: 'messagePrice',
    recorded: ['market', 'category', 'currency', 'since', 'micros'],
    left: ['createdAt'],
  },
  oidc_providers: {
    entity: 'signIn',
    recorded: [
      ...[
        'issuer',
        'clientId',
        'domains',
        'provenDomains',
        'makesUsers',
        'roleId',
        'groupsClaim',
        'roleRules',
        'ssoOnly',
      ],
      'breakGlassUserId',
    ],
    masked: ['secret'],
    left: ['triedAt', 'domainProofs', ...times],
  },
  passkeys: {
    entity: 'passkey',
    recorded: ['userId', 'name'],
    left: [
      ...['credentialId', 'publicKey', 'userHandle', 'counter', 'transports', 'synced', 'createdAt', 'lastUsedAt'],
    ],
  },
  user_queues: { entity: 'user', link: 'userId', recorded: ['queueId'], left: ['userId'] },
  queues: {
    entity: 'queue',
    recorded: [
      ...['name', 'color', 'greetingMessage', 'outOfHoursMessage', 'orderQueue', 'schedules', 'promptId'],
      ...['integrationId', 'assignment', 'lastAgentFirst', 'whenAway', ...file.recorded],
    ],
    left: [...file.left, ...times],
  },
  queue_options: {
    entity: 'queueOption',
    recorded: ['queueId', 'parentId', 'option', 'title', 'message', ...file.recorded],
    left: [...file.left, ...times],
  },
  whatsapps: {
    entity: 'connection',
    recorded: [
      ...['name', 'number', 'isDefault', 'provider', 'greetingMessage', 'completionMessage', 'outOfHoursMessage'],
      ...['ratingMessage', 'expiresInactiveMessage', 'expiresTicket', 'timeUseBotQueues', 'maxUseBotQueues'],
      ...['timeToTransfer', 'transferQueueId', 'integrationId', 'promptId', 'schedules', 'wanted'],
    ],
    masked: ['token'],
    left: [
      ...['status', 'qrcode', 'retries', 'lastError', 'lastMessageInAt', 'lastMessageOutAt', 'connectedAt'],
      ...['newChatsLockedUntil', 'newChatsLockKind', 'newChatsQuota', 'newChatsUsed', 'newChatsCapState'],
      ...['newChatsCycleEndsAt', 'reusedIds', 'reusedIdAt', ...times],
    ],
  },
  whatsapp_queues: { entity: 'connection', link: 'whatsappId', recorded: ['queueId'], left: ['whatsappId'] },
  settings: { entity: 'setting', recorded: ['key', 'value'], left: ['updatedAt'] },
  companies: {
    entity: 'company',
    recorded: [
      ...['name', 'email', 'phone', 'status', 'planId', 'dueDate', 'recurrence', 'timeZone', 'language', 'schedules'],
      ...['callingCode', 'holidays'],
    ],
    watched: ['removal'],
    // Who pays is a person, whose data stays out. On which day later dates fall follows from the one that is told.
    left: [
      'dueDay',
      'trialUntil',
      ...['billingName', 'billingDocument', 'addressStreet', 'addressDistrict', 'addressCity', 'addressState'],
      ...['addressZipCode', 'addressCountry', ...times],
    ],
  },
  plans: {
    entity: 'plan',
    recorded: [
      ...['name', 'users', 'connections', 'queues', 'value', 'useCampaigns', 'useSchedules', 'useInternalChat'],
      ...['useExternalApi', 'useKanban', 'useOpenAi', 'useIntegrations', 'useInternal'],
    ],
    left: times,
  },
  saved_filters: {
    entity: 'view',
    recorded: ['name', 'color', 'filter', 'sharing', 'queueIds'],
    left: ['userId', 'position', 'createdAt'],
  },
  tags: { entity: 'tag', recorded: ['name', 'color', 'kanban', 'laneOrder', 'laneLimit'], left: ['userId', ...times] },
  custom_fields: {
    entity: 'customField',
    recorded: ['entity', 'name', 'key', 'type', 'options', 'help', 'required', 'archivedAt'],
    left: ['position', ...times],
  },
  macros: {
    entity: 'macro',
    recorded: ['name', 'shortcut', 'actions', 'sharing', 'queueIds'],
    left: ['userId', 'version', ...times],
  },
  report_views: {
    entity: 'reportView',
    recorded: ['name', 'isShared', 'report', 'query'],
    left: ['userId', ...times],
  },
  report_schedules: {
    entity: 'reportSchedule',
    recorded: ['name', 'active', 'report', 'query', 'every', 'hour', 'format', 'userIds'],
    left: ['userId', 'nextAt', 'sentAt', ...times],
  },
  rules: {
    entity: 'rule',
    recorded: [
      ...['name', 'active', 'trigger', 'minutes', 'byPeople', 'match', 'conditions', 'actions', 'stopOnMatch'],
    ],
    left: ['position', 'activeSince', 'version', ...times],
  },
  prompts: {
    entity: 'prompt',
    recorded: [
      ...['name', 'prompt', 'baseUrl', 'model', 'transcriptionModel', 'voice', 'voiceRegion', 'maxTokens'],
      ...['temperature', 'maxMessages', 'queueId'],
    ],
    masked: ['apiKey', 'voiceKey'],
    left: times,
  },
  queue_integrations: {
    entity: 'integration',
    recorded: [
      ...['type', 'name', 'projectName', 'language', 'urlN8N', 'flowId', 'typebotSlug', 'typebotDelayMessage'],
      ...['typebotExpires', 'typebotKeywordFinish', 'typebotKeywordRestart', 'typebotRestartMessage'],
      ...['typebotUnknownMessage', 'options'],
    ],
    masked: ['jsonContent', 'secret'],
    left: times,
  },
  flows: { entity: 'flow', recorded: ['name', 'active', 'versionId'], left: times },
  flow_campaigns: {
    entity: 'phrase',
    recorded: ['name', 'flowId', 'whatsappId', 'phrase', 'status'],
    left: ['phraseKey', ...times],
  },
  flow_defaults: { entity: 'flowDefaults', recorded: ['flowIdWelcome', 'flowIdNotPhrase'], left: ['updatedAt'] },
  flow_secrets: { entity: 'flowSecret', recorded: ['name', 'hosts'], masked: ['value'], left: ['userId', ...times] },
  api_keys: {
    entity: 'apiKey',
    recorded: ['name', 'prefix', 'scopes', 'ipAllow', 'ratePerMinute', 'expiresAt', 'revokedAt'],
    masked: ['hash'],
    left: ['lastUsedAt', 'lastIp', 'createdBy', 'createdAt'],
  },
  webhooks: {
    entity: 'webhook',
    recorded: ['url', 'events', 'queueIds', 'active', 'disabledReason'],
    masked: ['secret'],
    left: ['failingSince', ...times],
  },
  templates: {
    entity: 'template',
    recorded: ['name', 'language', 'category', 'confirmedCategory', 'status', 'reason'],
    left: ['whatsappId', 'metaId', 'nextCategory', 'quality', 'advice', 'parts', 'isStrange', 'edits', ...times],
  },
  campaigns: {
    entity: 'campaign',
    recorded: [
      ...[
        'name',
        'status',
        'confirmation',
        'answersOpenTickets',
        'whatsappId',
        'contactListId',
        'tagListId',
        'segmentIds',
        'fileListId',
        'templateId',
      ],
      ...['replyQueueId', 'bulkGuard', 'scheduledAt', 'pauseReason', 'weights', ...file.recorded],
      ...[1, 2, 3, 4, 5].map((n) => `message${n}`),
      ...[1, 2, 3, 4, 5].map((n) => `confirmationMessage${n}`),
    ],
    left: [
      ...[
        'templateValues',
        'seed',
        'startedAt',
        'completedAt',
        'plannedAt',
        'planCursor',
        'duplicates',
        'sends',
        'userId',
      ],
      ...[...file.left, ...times],
    ],
  },
  campaign_settings: { entity: 'campaignSetting', recorded: ['key', 'value'], left: ['updatedAt'] },
  segments: { entity: 'segment', recorded: ['name', 'match', 'rules'], left: times },
  sla_policies: {
    entity: 'slaPolicy',
    recorded: [
      ...['name', 'position', 'active', 'queueIds', 'tagIds', 'contactField', 'firstAnswer', 'nextAnswer'],
      ...['resolution', 'calendar', 'warnAt', 'escalateUserIds', 'escalateQueueId'],
    ],
    left: times,
  },
  privacy_requests: {
    entity: 'privacyRequest',
    recorded: ['kind', 'law', 'state', 'receivedAt', 'dueAt'],
    // Who asks, and what was noted about it, is a person's.
    left: ['contactId', 'subject', 'note', 'closedAt', 'userId', ...times],
  },
  contact_lists: {
    entity: 'contactList',
    recorded: ['name'],
    left: ['checkState', 'checkTotal', 'checkDone', 'checkNextAt', ...times],
  },
  file_lists: { entity: 'fileList', recorded: ['name', 'message'], left: times },
  announcements: {
    entity: 'announcement',
    recorded: [
      ...['priority', 'title', 'text', 'status', 'startsAt', 'endsAt', 'companyIds', 'planIds', 'profiles'],
      ...file.recorded,
    ],
    left: [...file.left, 'isVisit', ...times],
  },
  helps: { entity: 'help', recorded: ['title', 'description', 'video'], left: times },
  branding: { entity: 'branding', recorded: ['place', 'mime', 'size'], left: ['content', 'updatedAt'] },
}

/** What an entry names by its id: what is audited, and the version of a flow. */
export type NamedThing = AuditEntity | 'flowVersion'

/** Columns, and facts of entries, that hold the id of a thing or a list of them. */
export const namedBy: Readonly<Record<string, NamedThing>> = {
  breakGlassUserId: 'user',
  companyIds: 'company',
  contactListId: 'contactList',
  escalateQueueId: 'queue',
  escalateUserIds: 'user',
  fileListId: 'fileList',
  flowId: 'flow',
  flowIdNotPhrase: 'flow',
  flowIdWelcome: 'flow',
  integrationId: 'integration',
  parentId: 'queueOption',
  planId: 'plan',
  planIds: 'plan',
  promptId: 'prompt',
  queueId: 'queue',
  queueIds: 'queue',
  replyQueueId: 'queue',
  roleId: 'role',
  segmentIds: 'segment',
  tagIds: 'tag',
  skillIds: 'tag',
  tagListId: 'tag',
  templateId: 'template',
  transferQueueId: 'queue',
  userId: 'user',
  userIds: 'user',
  versionId: 'flowVersion',
  whatsappId: 'connection',
}

/** The connection whose limits an entry of the campaign settings tells; its id is `line 3`. */
export const lineOf = (entityId: string | null): string | undefined => /^line (\d+)$/.exec(entityId ?? '')?.[1]
