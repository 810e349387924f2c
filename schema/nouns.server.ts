import { campaigns, shippings } from './campaigns/campaigns.table.ts'
import type { DecidedTable, ServerTable } from './command.ts'
import { flowRuns } from './flows/flows.table.ts'
import { charges, invoices } from './invoices/invoices.table.ts'
import { nouns, type Written } from './nouns.ts'
import { optOuts } from './opt-outs/opt-outs.table.ts'

/**
 * The tables that only the server knows, and writes by decisions all the same. A new one is one entry here. They stand
 * apart from `nouns.ts` because browsers load that.
 */
export const serverNouns = {
  // Two servers bill at the same moment.
  invoices: { table: invoices, once: true },
  charges: { table: charges },
  campaigns: { table: campaigns },
  // The same person may be found twice.
  shippings: { table: shippings, once: true },
  // They may say it twice at the same moment, or somebody for them.
  optOuts: { table: optOuts, once: true },
  flowRuns: { table: flowRuns },
} as const satisfies Record<ServerTable, Written>

/** Every table that decisions write. */
export const written: Record<DecidedTable, Written> = { ...nouns, ...serverNouns }
