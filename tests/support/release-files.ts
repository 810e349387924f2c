import { eq } from 'drizzle-orm'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { mediaEffects } from '../../server/media/media.effects.ts'
import type { TestApp } from './app.ts'

/** Does what the jobs say that remove files, each of them twice, as after a crash. @returns the paths they name */
export async function releaseFiles(t: TestApp): Promise<string[]> {
  const found = await t.database.db.delete(jobs).where(eq(jobs.kind, 'media.release')).returning()
  const handler = mediaEffects(t.deps)['media.release']
  const paths = found.map(({ payload }) => String(payload['path']))
  for (const attempt of [1, 2])
    for (const [i, path] of paths.entries())
      await handler({ kind: 'media.release', path }, { companyId: found[i]!.companyId!, attempt, last: false })
  return paths
}
