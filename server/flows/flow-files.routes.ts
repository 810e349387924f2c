import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import type { FlowFileKind } from '../../schema/flows/flows.edits.inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import { forgetsRules } from '../automation/automation.facts.ts'
import { discard, isMultipart, readUpload } from '../http/body.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { keepFlowFiles, LARGEST_FLOW_FILE } from './flows.uploads.ts'

const tags = ['flows']

const filesForm = (field: string) => ({
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        properties: { [field]: { type: 'string' as const, format: 'binary' } },
        required: [field],
      },
    },
  },
  required: true,
})

/** Pictures, sounds, films and documents for the nodes of flows. */
export function flowFiles(deps: AppDeps) {
  const { db, media, config } = deps

  /** Takes the files of a form; when they are refused, they are gone again. */
  const takeFiles = async (who: Principal, request: Request, kinds: readonly FlowFileKind[]): Promise<string[]> => {
    demand(who, 'automations:write')
    if (!isMultipart(request)) throw new DomainError('ERR_FILE_REQUIRED')
    const maxBytes = Math.min(config.maxUploadBytes, LARGEST_FLOW_FILE)
    const upload = await readUpload(request, { media, companyId: who.companyId, maxBytes })
    try {
      return await keepFlowFiles(db, who.companyId, upload.files, kinds)
    } catch (error) {
      await discard(media, upload)
      throw error
    }
  }
  const takeOne = async (who: Principal, request: Request, kinds: readonly FlowFileKind[]) => ({
    name: (await takeFiles(who, request, kinds))[0]!,
  })

  return new Elysia()
    .use(authed(deps))
    .onAfterHandle(forgetsRules(deps))
    .post('/flowbuilder/img', ({ who, request }) => takeOne(who, request, ['img']), {
      detail: { tags, summary: 'A picture for a flow: png, jpg, up to 2 MB', requestBody: filesForm('medias') },
    })
    .post('/flowbuilder/audio', ({ who, request }) => takeOne(who, request, ['audio', 'video']), {
      detail: {
        tags,
        summary: 'A sound (ogg, mp3, opus, up to 5 MB) or a film (mp4, up to 20 MB) for a flow',
        requestBody: filesForm('medias'),
      },
    })
    .post(
      '/flowbuilder/content',
      ({ who, request }) => takeFiles(who, request, ['img', 'audio', 'video', 'document']),
      {
        detail: {
          tags,
          summary: 'Several files for a flow, documents (up to 20 MB) among them',
          requestBody: filesForm('medias'),
        },
      },
    )
}
