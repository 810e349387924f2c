import { and, eq } from 'drizzle-orm'
import { cloudNumbers } from '../../schema/whatsapps/cloud-store.table.ts'
import { type ChangedCloud, CLOUD_VERSION, type CloudInput } from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import type { Tx } from '../db/database.ts'
import type { Sealer } from '../seal.ts'
import { type CloudSecret, hookOf, markOf, sealSecret } from './cloud.secrets.ts'

/** What is kept of how a number is reached; its secrets sealed. */
export function deskWrites({ sealer, now }: { sealer: Sealer; now(): Date }) {
  const sealed = (whatsappId: number, given: Partial<Record<CloudSecret, string>>) =>
    Object.fromEntries(
      (['token', 'appSecret', 'verifyToken'] as const).flatMap((secret) => {
        const text = given[secret]
        return text === undefined ? [] : [[secret, sealSecret(sealer, text, whatsappId, secret)]]
      }),
    )

  return {
    /** @param owner whose account it is, as far as the service tells */
    async set(
      tx: Tx,
      companyId: number,
      whatsappId: number,
      input: CloudInput,
      owner: { portfolioId: string | null } = { portfolioId: null },
    ): Promise<void> {
      const { phoneNumberId, accountId, appSecret, version = CLOUD_VERSION, coexistence = false } = input
      // By what people are known over one number of an account they are known over the others.
      const [sibling] = await tx
        .select({ portfolioId: cloudNumbers.portfolioId })
        .from(cloudNumbers)
        .where(and(eq(cloudNumbers.companyId, companyId), eq(cloudNumbers.accountId, accountId)))
        .orderBy(cloudNumbers.whatsappId)
        .limit(1)
      const { portfolioId } = sibling ?? owner
      await tx.insert(cloudNumbers).values({
        ...{ whatsappId, companyId, phoneNumberId, accountId, portfolioId, version, coexistence },
        ...(sealed(whatsappId, input) as Record<CloudSecret, string>),
        ...{ hook: hookOf(appSecret), appMark: markOf(appSecret) },
      })
    },
    /** The address stays while the app's secret is changed: it is written at the service. */
    async change(tx: Tx, whatsappId: number, { token, appSecret, verifyToken, ...rest }: ChangedCloud): Promise<void> {
      const secrets = {
        ...(token !== undefined && { token }),
        ...(appSecret !== undefined && { appSecret }),
        ...(verifyToken !== undefined && { verifyToken }),
      }
      await tx
        .update(cloudNumbers)
        .set({
          ...rest,
          ...sealed(whatsappId, secrets),
          ...(appSecret !== undefined && { appMark: markOf(appSecret) }),
          updatedAt: now(),
        })
        .where(eq(cloudNumbers.whatsappId, whatsappId))
    },
  }
}
