import { createReplica } from '../../../sync/client/replica.ts'
import type { Replica } from '../../../sync/client/replica.types.ts'
import type { Principal } from '../../../schema/permissions.ts'

/** A page with a replica and nothing else; tests drive it. The user comes in the address, their token is their id. */
const who = JSON.parse(new URLSearchParams(location.search).get('who') ?? '') as Principal
const start = performance.now()
const replica: Replica = createReplica({ who, baseUrl: '', token: async () => String(who.userId) })
Object.assign(window, { replica, startedAt: start })
