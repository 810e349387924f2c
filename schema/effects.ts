import type { Offer } from './messages/messages.offer.ts'
import type { TemplateNotice } from './templates/templates.service.ts'
import type { RuleEvent } from './rules/rules.events.ts'
import type { RuleTrigger } from './rules/rules.triggers.ts'
import type { SlaMissed, SlaTold } from './sla-policies/sla.clock.ts'
import type { HttpRequest, SecretText, TypebotQuestion } from './flows/flows.run.ts'

/**
 * What is done after a commit, as values. Each becomes a row of `jobs` in the transaction that decided it;
 * `server/…/*.effects.ts` holds the handlers, all safe to run twice.
 */
export type Effect =
  /** Send a stored message of ours. */
  | {
      kind: 'whatsapp.send'
      messageId: string
      whatsappId: number
      chat: number
      /** The contact sees typing for so long before. */
      typingMs?: number
      /** The run of a flow that is told when it has left. */
      flow?: { runId: string; n: number }
      /** Who says it: an agent's message overtakes all others that wait for the connection, what is said to many none. */
      by?: 'agent' | 'many'
      /** It asks the contact for their number. */
      asksNumber?: boolean
      /** The menu that it is, for wires whose contacts press what they choose. */
      offer?: Offer
    }
  | { kind: 'whatsapp.edit'; messageId: string; body: string; whatsappId: number; chat: number }
  | { kind: 'whatsapp.revoke'; messageId: string; whatsappId: number; chat: number }
  | { kind: 'whatsapp.react'; messageId: string; emoji: string; whatsappId: number; chat: number }
  /** Tell the contact that these messages were read. */
  | { kind: 'whatsapp.read'; messageIds: string[]; whatsappId: number; chat: number }
  /** Fetch an offered file into our own store. */
  | { kind: 'media.fetch'; messageId: string; whatsappId: number }
  /** Fetch the picture of a contact. */
  | { kind: 'contacts.picture'; contactId: number; whatsappId: number }
  /** An agent took the ticket: greet the contact if the company wishes (`sendGreetingAccepted`). */
  | { kind: 'tickets.accepted'; ticketId: number; userId: number; cause: string }
  /** Tell the contact of a transfer if the company wishes (`sendMsgTransfTicket`). */
  | { kind: 'tickets.transferred'; ticketId: number; queueId: number | null; userId: number | null; cause: string }
  /** The ticket was resolved: say goodbye if the connection has a closing message. */
  | { kind: 'tickets.closed'; ticketId: number; userId: number | null; cause: string }
  /** A ticket was moved that is longer than what moves with it: the rest leaves the replicas. Written by the database. */
  | { kind: 'tickets.trim'; ticketId: number }
  /** Look for somebody for the tickets that wait in a queue. Written by the database. */
  | { kind: 'queues.assign'; queueId: number }
  /** Tell a caller that calls are not answered (`call` disabled). */
  | { kind: 'calls.refused'; ticketId: number; whatsappId: number; callId: string }
  /** Ask a language model, or a bot elsewhere, for an answer to a contact's message. */
  | {
      kind: 'automation.ask'
      ticketId: number
      messageId: string
      by: 'prompt' | 'integration'
      id: number
      tries?: number
    }
  /** Call an address for a flow, and tell its run the result. */
  /** A flow begins in a ticket because a person, or a rule, wants it; `cause` is told once. */
  | { kind: 'flows.begin'; ticketId: number; flowId: number; cause: string; by: 'person' | 'rule' }
  | { kind: 'flows.http'; ticketId: number; runId: string; waitId: number; request: HttpRequest }
  /** Fetch a file for a flow, and tell its run. */
  | { kind: 'flows.file'; ticketId: number; runId: string; waitId: number; url: SecretText }
  /** Ask a language model for a flow, and tell its run the result. */
  | {
      kind: 'flows.ai'
      ticketId: number
      runId: string
      waitId: number
      promptId: number | null
      instructions: string
      text: string
      turn: number
      /** The messages that `text` is, by their ids. */
      heard: string[]
    }
  /** Begin, or go on with, a contact's conversation with a typebot for a flow, and tell its run the answer. */
  | ({ kind: 'flows.typebot'; ticketId: number; runId: string } & TypebotQuestion)
  /** Find out whom a note calls, and have them told. */
  | { kind: 'notes.mentioned'; noteId: string }
  /** Find out whose browsers a message wakes. */
  | ({ kind: 'push.notify' } & NewMessage)
  /** Wake one of them. */
  | ({ kind: 'push.send'; subscriptionId: number } & NewMessage)
  /** Wake somebody's browsers, or those of the supervisors who are called, for a ticket; then each of them by itself. */
  | {
      kind: 'push.ticket'
      why: 'assigned' | 'supervisor'
      ticketId: number
      userId: number | null
      /** Who calls. */
      by?: number
      subscriptionId?: number
    }
  /** Send a user the code for a new password. */
  | { kind: 'mail.passwordReset'; userId: number }
  /** Send somebody new the link by which they choose their first password. */
  | { kind: 'mail.invitation'; userId: number }
  /** Tell somebody without a ticket that they get no more messages to many, or get them again. */
  | {
      kind: 'campaigns.say'
      messageId: string
      body: string
      whatsappId: number
      number: string | null
      lid: string | null
      /** Who may be known by neither; jobs of before do not say it. */
      contactId?: number
    }
  /** Note that a contact wants no messages to many. */
  | { kind: 'optOuts.note'; contactId: number; userId: number }
  /** Ask the official API for the message templates of a connection, and keep what it says. */
  /** File a piece of the history of a phone that shares its number. */
  | { kind: 'cloud.history'; whatsappId: number; piece: string }
  | { kind: 'templates.fetch'; whatsappId: number; slot: number; notice?: TemplateNotice }
  /** Tell the admins by mail that a webhook was switched off. */
  | { kind: 'mail.webhookOff'; userId: number; webhookId: number; url: string; reason: 'gone' | 'failing' }
  /** A rule tells one of the company's webhooks of a ticket. `eventId` is what it is told under, once. */
  | {
      kind: 'webhooks.rule'
      webhookId: number
      ticketId: number
      eventId: string
      rule: { id: number; name: string; version: number; trigger: RuleTrigger }
      /** What was written, where the rule answers that. */
      messageId: string | null
    }
  /** Send somebody a report of these days by mail. */
  | { kind: 'mail.report'; scheduleId: number; userId: number; from: string; to: string }
  /** Tell an admin by mail, or in one of their browsers, that the company's last day comes. */
  | { kind: 'mail.dueSoon'; userId: number; dueDate: string; days: number }
  | { kind: 'push.dueSoon'; subscriptionId: number; dueDate: string; days: number }
  /** Tell an admin that a number's free answers of a month run out, or have: `level` in percent. */
  | { kind: 'mail.freeTier'; userId: number; whatsappId: number; month: string; level: number }
  | { kind: 'push.freeTier'; subscriptionId: number; whatsappId: number; month: string; level: number }
  /** Tell an admin that a connection sends no more until somebody mends something at the service. */
  | ({ kind: 'mail.connection'; userId: number } & ConnectionNotice)
  | ({ kind: 'push.connection'; subscriptionId: number } & ConnectionNotice)
  /** Delete a company and all that is theirs, in pieces. */
  | { kind: 'companies.remove'; removedId: number }
  /**
   * Have a payment service take back a charge that nobody is to pay any more. It names all that there is to know of it:
   * its company may be gone by then.
   */
  | {
      kind: 'invoices.takeBack'
      provider: 'efi' | 'asaas'
      ref: string
      invoiceId: number
      /** What was asked for, in BRL. */
      value: string
      company: { id: number; name: string }
      /** ISO instant. */
      endedAt: string
    }
  /** Promises were at risk or broken: tell who is to know. Rules begin here. */
  | { kind: 'sla.told'; told: SlaTold[] }
  /** The clocks of these did not move with what happened in them, which must keep no message: move them now. */
  | { kind: 'sla.catchUp'; missed: SlaMissed[] }
  /** Something happened to a ticket: ask the company's rules. */
  | { kind: 'rules.ask'; ticketId: number; event: RuleEvent }
  /**
   * Hours or policies have changed, or only what a policy asks of a contact: count anew what goes, in its tickets. Written by
   * the database.
   */
  | { kind: 'sla.recount'; contactId?: number }
  /** Tell somebody in one of their browsers. */
  | {
      kind: 'push.sla'
      subscriptionId: number
      what: SlaTold['what']
      told: Pick<SlaTold, 'ticketId' | 'metric' | 'clockId'>[]
    }
  /** Gather a contact's data into a file. */
  | { kind: 'privacy.export'; exportId: string }
  /** Erase what is left of a contact. */
  | { kind: 'privacy.erase'; erasureId: string }
  /** A contact came to be, or got another number, in a company that has erased people who want no messages to many. Written by the database. */
  | { kind: 'privacy.returned'; contactId: number }
  /** Remove a file that a row has let go of, unless another one still shows it. */
  | { kind: 'media.release'; path: string }

/**
 * A contact's, a colleague's in the internal chat, a note that calls somebody, or a ticket that lies aside no more, for
 * one person.
 */
export type NewMessage =
  | { messageId: string }
  | { chatMessageId: string }
  | { noteId: string }
  | { wokenTicketId: number; userId: number }

export type EffectKind = Effect['kind']
export type EffectOf<K extends EffectKind> = Extract<Effect, { kind: K }>

interface ConnectionNotice {
  whatsappId: number
  problem:
    | 'token'
    | 'permission'
    | 'registration'
    | 'setup'
    | 'account_limited'
    | 'withdrawn'
    | 'quality'
    | 'name_refused'
  /** When it was found, an ISO instant. */
  at: string
}
