import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CircleQuestionMark, ExternalLink, Play } from 'lucide-react'
import { useState } from 'react'
import { LoadingRows } from '../kit/data-list.tsx'
import { errorText } from '../session/error-text.ts'
import { Dialog, DialogContent } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page, PageCard } from '../ui/page.tsx'
import { useHelps } from './helps.queries.ts'
import type { Help } from './helps.queries.ts'

/** Films that explain the product. Nobody else is asked for anything before one is started. */
export default function HelpsScreen() {
  const { t } = useLingui()
  const { data, error, loading, reload } = useHelps()
  const [playing, setPlaying] = useState<Help | null>(null)
  return (
    <Page
      title={t`Ajuda`}
      description={data && data.length > 0 && <Plural value={data.length} one="# vídeo" other="# vídeos" />}
    >
      {!data ? (
        error && !loading ? (
          <PageCard>
            <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
          </PageCard>
        ) : (
          <LoadingRows label={t`Ajuda`} />
        )
      ) : data.length === 0 ? (
        <PageCard>
          <EmptyState icon={CircleQuestionMark} title={<Trans>Nenhum vídeo de ajuda</Trans>}>
            <Trans>Os vídeos que explicam o sistema aparecem aqui.</Trans>
          </EmptyState>
        </PageCard>
      ) : (
        <ul aria-label={t`Vídeos de ajuda`} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4">
          {data.map((help) => (
            <li key={help.id}>
              <button
                type="button"
                onClick={() => setPlaying(help)}
                className="focus-ring group flex h-full w-full flex-col overflow-hidden rounded-xl border bg-card text-left shadow-xs transition-colors hover:border-primary/50"
              >
                <Cover help={help} />
                <span className="flex flex-1 flex-col gap-1 p-4">
                  <span className="text-sm font-medium break-words">{help.title}</span>
                  {help.description && (
                    <span className="line-clamp-3 text-sm break-words whitespace-pre-line text-muted-foreground">
                      {help.description}
                    </span>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Dialog open={playing !== null} onOpenChange={(open) => !open && setPlaying(null)}>
        {playing && <Player help={playing} />}
      </Dialog>
    </Page>
  )
}

/** A cover of our own: the film's own picture would have to be asked of its host. */
function Cover({ help: { id } }: { help: Help }) {
  const hue = (id * 67) % 360
  return (
    <span
      aria-hidden="true"
      className="flex aspect-video w-full items-center justify-center"
      style={{
        background: `linear-gradient(135deg, oklch(0.5 0.07 ${hue}), oklch(0.36 0.06 ${(hue + 50) % 360}))`,
      }}
    >
      <span className="flex size-14 items-center justify-center rounded-full bg-white/90 text-black/80 shadow-sm transition-transform group-hover:scale-105">
        <Play className="ml-0.5 size-6" />
      </span>
    </span>
  )
}

function Player({ help: { title, description, video } }: { help: Help }) {
  const { i18n } = useLingui()
  const address = `https://www.youtube-nocookie.com/embed/${encodeURIComponent(video)}?autoplay=1&rel=0&hl=${i18n.locale}`
  return (
    <DialogContent size="xl" title={title} {...(description && { description })}>
      <div className="px-5 pb-5">
        <iframe
          src={address}
          title={title}
          className="aspect-video w-full rounded-lg bg-black"
          // The player shows nothing where it is not told which site it stands in.
          referrerPolicy="strict-origin-when-cross-origin"
          sandbox="allow-scripts allow-same-origin allow-presentation allow-popups"
          allow="autoplay; encrypted-media; picture-in-picture; fullscreen"
          allowFullScreen
        />
        <p className="mt-3 text-xs text-muted-foreground">
          <Trans>O vídeo não aparece?</Trans>{' '}
          <a
            href={`https://www.youtube.com/watch?v=${encodeURIComponent(video)}`}
            target="_blank"
            rel="noreferrer"
            className="focus-ring inline-flex items-center gap-1 rounded-sm font-medium text-primary underline-offset-2 hover:underline"
          >
            <Trans>Abrir no YouTube</Trans>
            <ExternalLink className="size-3" aria-hidden="true" />
          </a>
        </p>
      </div>
    </DialogContent>
  )
}
