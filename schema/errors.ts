/**
 * The error catalogue: every code the product answers, with its HTTP status. Texts live in
 * `client/i18n/error-messages.ts`, which does not compile while a code has no text.
 */
export const errorStatus = {
  ERR_NO_OTHER_WHATSAPP: 400,
  ERR_NO_DEF_WAPP_FOUND: 404,
  ERR_WAPP_NOT_INITIALIZED: 409,
  /** The connection's wire has no such thing (`capability`), and never will. */
  ERR_CHANNEL_CANNOT: 409,
  /** The wire refuses for good (`reason`): trying again would end the same way. */
  ERR_CHANNEL_REFUSED: 409,
  /** Nobody here serves the wire of this connection (`provider`). */
  ERR_CHANNEL_UNSERVED: 409,
  /** Nobody has said how the number of the official API is reached. */
  ERR_CLOUD_UNSET: 409,
  /** The official API refuses (`failure`, and its own `code` and `details`). */
  ERR_CLOUD_REFUSED: 409,
  /** Another connection has that number. */
  ERR_CLOUD_TAKEN: 409,
  /** Nothing is sent by this template now (`reason`: a word of `templateStops`). */
  ERR_TEMPLATE_STOPPED: 409,
  /** Of a template something is not filled in (`missing`, keys of its variables). */
  ERR_TEMPLATE_VALUES: 400,
  /** The official API takes no such template (`field`, and its own `code` and `details`). */
  ERR_TEMPLATE_REFUSED: 409,
  /** Over this connection campaigns go by a template that may be sent. */
  ERR_CAMPAIGN_TEMPLATE: 409,
  ERR_NO_FIELD_FOUND: 404,
  /** Another field of contacts, or of tickets, is called so. */
  ERR_FIELD_NAME_TAKEN: 400,
  /** The company has as many fields as it may (`limit`). */
  ERR_FIELD_LIMIT: 400,
  /** A field does not take this (`field`, its name; `reason`: a word of `fieldFaults`). */
  ERR_FIELD_VALUE: 400,
  /** A person closes a ticket in which these are empty (`fields`, their names; `ids`). */
  ERR_FIELDS_REQUIRED: 409,
  ERR_NO_TEMPLATE_FOUND: 404,
  /** The connection has a template of this name in this language. */
  ERR_TEMPLATE_ALREADY_EXISTS: 400,
  /** The contact wrote too long ago for this connection: since `closedAt`; null where they never wrote. */
  ERR_WINDOW_CLOSED: 409,
  /** A template whose header is a file was given none, or one that does not fit; `kind` says which it wants. */
  ERR_TEMPLATE_FILE: 400,
  /** An approved template was changed as often as the service allows; `at` is when it may be again. */
  ERR_TEMPLATE_EDITED: 409,
  /** WhatsApp gives no code to link this number by (`reason`, its own code). */
  ERR_PAIRING_REFUSED: 409,
  /** WhatsApp did not say whether the code is good. */
  ERR_PAIRING_UNANSWERED: 502,
  /** WhatsApp lets the connection begin no chats before `until`; `by` says why: `lock` or `cap`. */
  ERR_NEW_CHATS_HELD: 409,
  ERR_WAPP_CHECK_CONTACT: 502,
  ERR_WAPP_INVALID_CONTACT: 400,
  ERR_NUMBER_UNCLEAR: 400,
  /** Of whom only a user name or an id is known: there is no card of them to send. */
  /** A court or a claim wants the contact's data kept (`until`). */
  ERR_LEGAL_HOLD: 409,
  /** The contact's data were erased: there is nobody to do it with. */
  ERR_CONTACT_ERASED: 409,
  /** What was typed to confirm is not the contact's name. */
  ERR_CONFIRM_NAME: 400,
  ERR_NO_EXPORT_FOUND: 404,
  ERR_NO_ERASURE_FOUND: 404,
  ERR_NO_PRIVACY_REQUEST_FOUND: 404,
  ERR_CONTACT_NO_NUMBER: 400,
  /** A program names a number that has no WhatsApp (`number`). */
  ERR_CHECK_NUMBER: 400,
  /** A program's key is unknown, revoked or expired. */
  ERR_API_KEY: 401,
  /** A program's key may not be used from there. */
  ERR_API_KEY_ADDRESS: 403,
  /** A program's key lacks what the call needs (`scope`). */
  ERR_SCOPE: 403,
  /** The company has as many active keys as it may (`limit`). */
  ERR_API_KEY_LIMIT: 400,
  ERR_NO_API_KEY_FOUND: 404,
  ERR_WEBHOOK_LIMIT: 400,
  ERR_NO_WEBHOOK_FOUND: 404,
  ERR_NO_DELIVERY_FOUND: 404,
  /** An address that nobody outside has, or without encryption (`field`). */
  ERR_URL_FORBIDDEN: 400,
  /** A program's token opens nothing. */
  ERR_API_TOKEN: 401,
  ERR_WAPP_DOWNLOAD_MEDIA: 502,
  ERR_WAPP_NAME_ALREADY_EXISTS: 400,
  ERR_WAPP_GREETING_REQUIRED: 400,
  ERR_INVALID_CREDENTIALS: 401,
  /** Whoever changes their own password or e-mail says the current password, too. */
  ERR_CURRENT_PASSWORD_REQUIRED: 400,
  ERR_CURRENT_PASSWORD: 400,
  ERR_TOO_MANY_ATTEMPTS: 429,
  /** The company wants a password that is harder to guess. */
  ERR_PASSWORD_WEAK: 400,
  /** The list of addresses leaves out who writes it. */
  ERR_IP_LOCKOUT: 409,
  /** The company lets nobody in from there. */
  ERR_IP_REFUSED: 403,
  /** Not the code of this moment, or one that was used. */
  ERR_2FA_CODE: 400,
  /** The password was too long ago, or is another one now. */
  ERR_2FA_CHALLENGE: 400,
  ERR_2FA_ENABLED: 409,
  /** There is no secret that a code could be of. */
  ERR_2FA_SETUP: 409,
  /** The company lets this person in only with two-factor. */
  ERR_2FA_REQUIRED: 403,
  /** A device's key that is not known, or whose signature is not good. */
  ERR_PASSKEY: 400,
  /** The question to a device's key was asked too long ago, or is answered already. */
  ERR_PASSKEY_CHALLENGE: 400,
  /** That key is registered. */
  ERR_PASSKEY_KNOWN: 409,
  /** The person has as many keys as they may (`limit`). */
  ERR_PASSKEY_LIMIT: 409,
  ERR_NO_PASSKEY_FOUND: 404,
  /** The operator looks, in a user's name, and changes nothing. */
  ERR_IMPERSONATION_READ_ONLY: 403,
  /** Sign-in, keys and notices of a user are theirs alone. */
  ERR_IMPERSONATION_OWN: 403,
  /** The company lets nobody act for its users. */
  ERR_IMPERSONATION_REFUSED: 403,
  /** No company signs people with such an e-mail in by a provider. */
  ERR_OIDC_UNKNOWN: 404,
  /** It took too long, or began in another browser. */
  ERR_OIDC_STATE: 400,
  /** The company's provider did not answer as it should (`why`). */
  ERR_OIDC_PROVIDER: 502,
  /** The provider vouches for nobody whom the company knows. */
  ERR_OIDC_EMAIL: 403,
  /** The provider knows that user as another of its people; an admin may have it forgotten. */
  ERR_OIDC_SUBJECT: 403,
  /** The company lets its people in by its provider alone. */
  ERR_OIDC_ONLY: 403,
  /** No admin has come in by the provider yet, as it is set up now. */
  ERR_OIDC_UNTRIED: 409,
  /** `domain`; `why`: `missing`, `other` or `unreachable`: what its DNS says. */
  ERR_OIDC_DOMAIN_UNPROVEN: 409,
  /** `domain`; whose it is, is told to nobody. */
  ERR_OIDC_DOMAIN_TAKEN: 409,
  /** Whoever stays able to come in without the provider is an admin of the company. */
  ERR_BREAK_GLASS: 400,
  /** They come in by the provider alone, and have no password yet. */
  ERR_BREAK_GLASS_PASSWORD: 409,
  /** That admin stays, and stays admin, while the company lets people in by its provider alone. */
  ERR_BREAK_GLASS_KEPT: 409,
  ERR_SESSION_EXPIRED: 401,
  ERR_TOKEN_EXPIRED: 403,
  ERR_SUBSCRIPTION_EXPIRED: 402,
  /** The operator has switched the company off. As 402, browsers wait with what they hold until it works again. */
  ERR_COMPANY_OFF: 402,
  ERR_NO_PERMISSION: 403,
  ERR_FORBIDDEN: 403,
  ERR_NO_SUPER: 403,
  ERR_PLAN_FEATURE: 403,
  ERR_PLAN_LIMIT: 400,
  ERR_SENDING_WAPP_MSG: 400,
  ERR_EDITING_WAPP_MSG: 400,
  ERR_DELETE_WAPP_MSG: 400,
  ERR_TICKET_NOT_OPEN: 400,
  ERR_OTHER_OPEN_TICKET: 409,
  /** They are not of one contact, or one of them has gone into another, or is over while somebody waits in the other. */
  ERR_TICKET_MERGE: 409,
  /** More was said in the ticket that goes than moves at once. */
  ERR_TICKET_MERGE_SIZE: 409,
  /** What was said in it stands in another ticket. */
  ERR_TICKET_MERGED: 409,
  /** A flow speaks to no group, and to no contact who wants no bots. */
  ERR_NO_FLOW_HERE: 409,
  /** A ticket is put aside until a moment that is yet to come, and not for longer than a year. */
  ERR_SNOOZE_PAST: 400,
  ERR_TICKET_TAKEN: 409,
  /** A message of the contact has come that whoever wants to resolve the ticket has not seen. */
  ERR_TICKET_UNSEEN: 409,
  ERR_TICKET_TRANSITION: 409,
  /** What was done has been told to the contact, or something happened since. */
  ERR_UNDO_LATE: 409,
  ERR_QUEUE_REQUIRED: 400,
  ERR_USER_CREATION_DISABLED: 403,
  ERR_COMPANY_ALREADY_EXISTS: 409,
  ERR_UNKNOWN_TIME_ZONE: 400,
  /** No such code, or not any more; which of the two is nobody's business. */
  ERR_RESET_CODE: 400,
  /** The operator has named no mail server. */
  ERR_NO_MAIL: 400,
  ERR_DUPLICATED_CONTACT: 409,
  ERR_DUPLICATED_EMAIL: 409,
  ERR_LAST_ADMIN: 400,
  ERR_DELETE_SELF: 400,
  /** Whoever has come in already has a password of their own, or asks for one. */
  ERR_NOT_INVITED: 409,
  /** They have more than whoever would give it, or change them, has. */
  ERR_ROLE_GRANT: 403,
  /** Their role hides numbers, and this text would have the server write them. */
  ERR_NUMBERS_HIDDEN: 403,
  /** Their role hides numbers, and of fewer people than `least` a count would tell one. */
  ERR_FEW_PEOPLE: 403,
  ERR_NO_ROLE_FOUND: 404,
  ERR_ROLE_NAME_ALREADY_EXISTS: 400,
  /** People have it (`users`). */
  ERR_ROLE_IN_USE: 400,
  /** The company has as many as it may (`limit`). */
  ERR_ROLE_LIMIT: 400,
  ERR_NO_SETTING_FOUND: 404,
  /** It tells a company of a visit of the operator's. */
  ERR_ANNOUNCEMENT_KEPT: 409,
  ERR_NO_CONTACT_FOUND: 404,
  ERR_NO_TICKET_FOUND: 404,
  ERR_NO_MESSAGE_FOUND: 404,
  ERR_NO_USER_FOUND: 404,
  ERR_NO_WAPP_FOUND: 404,
  ERR_NO_QUEUE_FOUND: 404,
  ERR_NO_TAG_FOUND: 404,
  ERR_NO_MESSAGE_PRICE_FOUND: 404,
  ERR_NO_NOTE_FOUND: 404,
  ERR_NO_CHAT_FOUND: 404,
  ERR_NO_COMPANY_FOUND: 404,
  ERR_NO_PLAN_FOUND: 404,
  ERR_NO_INVOICE_FOUND: 404,
  /** It was paid or cancelled meanwhile. */
  ERR_INVOICE_SETTLED: 409,
  /** The operator has not said how invoices are paid. */
  ERR_NO_PAYMENT: 409,
  /** The payment service did not answer as it should (`why`; to the operator also its `answer`, or the network’s, and the `fields` that it is about). */
  ERR_PAYMENT_PROVIDER: 502,
  /** Cannot do without this (`field`). */
  ERR_PAYMENT_FIELD: 400,
  ERR_PLAN_ALREADY_EXISTS: 409,
  /** Companies have it (`companies`). */
  ERR_PLAN_IN_USE: 400,
  ERR_NO_MERGE_FOUND: 404,
  ERR_MERGE_UNDO: 409,
  ERR_NO_QUICK_MESSAGE_FOUND: 404,
  ERR_NO_MACRO_FOUND: 404,
  /** It does something else now than when it was looked at. */
  ERR_MACRO_CHANGED: 409,
  /** The company has as many as it may (`limit`). */
  ERR_MACRO_LIMIT: 400,
  ERR_NO_REPORT_VIEW_FOUND: 404,
  ERR_NO_REPORT_SCHEDULE_FOUND: 404,
  /** The company has as many as it may (`limit`). */
  ERR_REPORT_LIMIT: 400,
  ERR_NO_RULE_FOUND: 404,
  /** Somebody else has changed it since it was looked at; `version` is the one that counts now. */
  ERR_RULE_CHANGED: 409,
  /** The company has as many as it may (`limit`). */
  ERR_RULE_LIMIT: 400,
  ERR_NO_SCHEDULE_FOUND: 404,
  ERR_SCHEDULE_SENT: 400,
  /** Only ever the reason of a schedule that was not sent. */
  ERR_SCHEDULE_LATE: 400,
  /** The same: whoever scheduled it is gone, or may not see the contact's ticket any more. */
  ERR_SCHEDULE_AUTHOR: 403,
  /** With its variables filled in, the text is longer than a message may be. */
  ERR_TEXT_LONG: 400,
  ERR_NO_CONTACT_LIST_FOUND: 404,
  ERR_CONTACT_LIST_NAME_ALREADY_EXISTS: 400,
  /** A list holds at most so many people (`limit`). */
  ERR_CONTACT_LIST_FULL: 400,
  /** A campaign that is at work is sent to it. */
  ERR_CONTACT_LIST_IN_USE: 400,
  /** A campaign is gathering the people who have it. */
  ERR_TAG_IN_USE: 400,
  /** A campaign that is at work sends it. */
  ERR_FILE_LIST_IN_USE: 400,
  ERR_NO_CAMPAIGN_FOUND: 404,
  /** A campaign that is at work is not deleted. */
  ERR_CAMPAIGN_RUNNING: 400,
  /** Not in this status (`status`). */
  ERR_CAMPAIGN_STATE: 409,
  /** It would begin at once: the date has passed. */
  ERR_CAMPAIGN_DATE: 400,
  /** With its variables a text holds more than a message does: its end would be lost. */
  ERR_CAMPAIGN_TEXT_LONG: 400,
  ERR_NO_SEGMENT_FOUND: 404,
  ERR_NO_SLA_POLICY_FOUND: 404,
  ERR_SLA_POLICY_NAME: 409,
  ERR_SLA_POLICY_LIMIT: 409,
  ERR_SEGMENT_NAME_ALREADY_EXISTS: 400,
  ERR_NO_OPT_OUT_FOUND: 404,
  /** The person wants no bulk messages. */
  ERR_OPTED_OUT: 409,
  /** WhatsApp stopped sending to many on the connection; a person says when it goes on. */
  ERR_BULK_STOPPED: 409,
  ERR_NO_FLOW_FOUND: 404,
  ERR_NO_FLOW_VERSION_FOUND: 404,
  ERR_NO_FLOW_CAMPAIGN_FOUND: 404,
  ERR_NO_FLOW_SECRET_FOUND: 404,
  ERR_FLOW_SECRET_ALREADY_EXISTS: 400,
  /** A company keeps at most so many keys for calls (`limit`). */
  ERR_FLOW_SECRETS_FULL: 400,
  /** The key `name` is not sent to that `host`. */
  ERR_FLOW_SECRET_HOST: 400,
  /** A colleague has changed these nodes of a flow meanwhile (`nodes`). */
  ERR_FLOW_STALE: 409,
  /** A flow has at most so many nodes (`limit`). */
  ERR_FLOW_SIZE: 400,
  /** What must be mended before a flow is published (`problems`). */
  ERR_FLOW_PROBLEMS: 400,
  ERR_FLOW_NAME_ALREADY_EXISTS: 400,
  ERR_FLOW_PHRASE_ALREADY_EXISTS: 400,
  ERR_NO_PROMPT_FOUND: 404,
  ERR_PROMPT_NAME_ALREADY_EXISTS: 400,
  /** A key that was given for one address is not sent to another. */
  ERR_PROMPT_KEY_REQUIRED: 400,
  /** The company's tokens of the month are used up (`limit`). */
  ERR_PROMPT_TOKENS: 400,
  ERR_NO_INTEGRATION_FOUND: 404,
  ERR_INTEGRATION_NAME_ALREADY_EXISTS: 400,
  /** A field that this type of integration cannot do without (`field`). */
  ERR_INTEGRATION_FIELD: 400,
  /** Dialogflow did not answer as it should (`why`, `says`). */
  ERR_TEST_SESSION_DIALOG: 400,
  /** Not an address that this server calls (`field`). */
  ERR_ADDRESS_REFUSED: 400,
  ERR_NO_FILE_FOUND: 404,
  ERR_NO_FILE_LIST_FOUND: 404,
  ERR_NO_HELP_FOUND: 404,
  ERR_NO_ANNOUNCEMENT_FOUND: 404,
  ERR_NOT_FOUND: 404,
  ERR_CREATING_MESSAGE: 400,
  ERR_CREATING_TICKET: 400,
  ERR_FETCH_WAPP_MSG: 404,
  ERR_QUEUE_COLOR_ALREADY_EXISTS: 400,
  ERR_QUEUE_NAME_ALREADY_EXISTS: 400,
  ERR_NO_QUEUE_OPTION_FOUND: 404,
  /** A queue's option tree holds no more, in this place or at all (`limit`). */
  ERR_QUEUE_OPTIONS_LIMIT: 400,
  ERR_TAG_NAME_ALREADY_EXISTS: 400,
  ERR_QUICK_MESSAGE_ALREADY_EXISTS: 400,
  ERR_FILE_REQUIRED: 400,
  ERR_FILE_TOO_LARGE: 413,
  ERR_FILE_TYPE: 415,
  /** The installation's scanner has found a virus in it. */
  ERR_FILE_INFECTED: 422,
  ERR_VALIDATION: 400,
  ERR_BODY_TOO_LARGE: 413,
  ERR_IDEMPOTENCY_MISMATCH: 409,
  ERR_TOO_MANY_REQUESTS: 429,
  ERR_SYNC_SHAPE: 404,
  ERR_CLIENT_OUTDATED: 409,
  ERR_STORAGE_FULL: 507,
  ERR_UNAVAILABLE: 503,
  INTERNAL_SERVER_ERROR: 500,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof errorStatus

/** A failure with a name. Thrown anywhere, answered once (`server/http/errors.ts`) as `{error: code, …params}`. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    /** Facts a person or a program needs to act on the error; never secrets, never another company's. */
    readonly params: Record<string, unknown> = {},
  ) {
    super(code)
    this.name = 'DomainError'
  }
}

/** The HTTP status that answers it. Apart from the class, so that a browser goes without the list. */
export const statusOf = ({ code }: DomainError): number => errorStatus[code]

/** Whether this could be one of our codes. A server that is newer than the browser's scripts has some more. */
export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && /^(?:ERR_[A-Z0-9_]+|INTERNAL_SERVER_ERROR)$/.test(code)

/**
 * Whether the body of an answer is our server's own word. What stands between (a firewall, a hotel's page, a proxy)
 * answers with any status in its own words, and those say nothing of a session, a right or a command.
 */
export const isOurWord = (body: unknown): body is { error: ErrorCode } =>
  typeof body === 'object' && body !== null && isErrorCode((body as { error?: unknown }).error)

const finalCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'ERR_TICKET_TAKEN',
  'ERR_SCHEDULE_SENT',
  'ERR_DELETE_SELF',
  'ERR_UNDO_LATE',
])

/** Whether the very same command can never succeed later: what it was about is gone, or is somebody else's. */
export const isFinal = (code: string): boolean => finalCodes.has(code) || /^ERR_NO_\w+_FOUND$/.test(code)
