import { DomainError } from '../../schema/errors.ts'
import { isCannot } from '../../schema/whatsapps/whatsapps.providers.ts'
import { GiveUp, NotNow } from '../jobs/worker.ts'
import type { Channels, JobChannel } from './channel.port.ts'

/**
 * What jobs do over connections; each waits where the link is down.
 * @param clear before one of many leaves: resolves when nothing goes before it, or after a moment
 * @param went a message has left over this connection
 */
export function forJobs(
  channels: Channels,
  { clear, went }: { clear: () => Promise<void>; went: (whatsappId: number) => void },
): JobChannel {
  return {
    send: async (message) => {
      if (message.by === 'many') await clear()
      await inTime(channels.send(message))
      went(message.whatsappId)
    },
    edit: (target, body) => inTime(channels.edit(target, body)),
    revoke: (target) => inTime(channels.revoke(target)),
    react: (target, emoji) => inTime(channels.react(target, emoji)),
    fetchMedia: (id, wid, sink) => inTime(channels.fetchMedia(id, wid, sink)),
    // Nobody has asked for these: a wire that cannot goes without.
    presence: (id, chat, state) => inTime(channels.presence(id, chat, state).catch(unlessAble)),
    markRead: (targets) => inTime(channels.markRead(targets).catch(unlessAble)),
    profilePicture: (id, chat) =>
      inTime(channels.profilePicture(id, chat).catch((error: unknown) => (unlessAble(error), null))),
    rejectCall: (id, callId) => channels.rejectCall(id, callId).catch(unlessAble),
  }
}

/** A link that went down between the claim of a job and its work is no failure of the job. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (error.code === 'ERR_WAPP_NOT_INITIALIZED') {
      const { retryInMs } = error.params
      throw new NotNow('the connection is not open', typeof retryInMs === 'number' ? retryInMs : undefined)
    }
    if (error.code === 'ERR_CHANNEL_REFUSED') throw new GiveUp(String(error.params['reason'] ?? error.code))
    if (error.code === 'ERR_CHANNEL_CANNOT') throw new GiveUp(error.code)
    throw error
  }
}

function unlessAble(error: unknown): void {
  if (!isCannot(error)) throw error
}
