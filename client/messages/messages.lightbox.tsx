import { useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { Dialog as DialogPrimitive } from 'radix-ui'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { errorText } from '../session/error-text.ts'
import { dateText } from '../i18n/dates.ts'
import { ReturnFocus } from '../ui/return-focus.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { captionOf, mediaSource } from './messages.bubble-media.tsx'
import { FormattedText } from '../kit/formatted-text.tsx'
import { saveBlob, useMedia } from '../kit/media.ts'
import type { MessageRow } from './messages.rows.ts'

/** The images of a conversation over the whole window; arrows go from one to the next, a click enlarges. */
export function Lightbox({
  images,
  id,
  onChange,
  onClose,
}: {
  images: readonly MessageRow[]
  id: string
  onChange: (id: string) => void
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  const at = images.findIndex((image) => image.id === id)
  const image = images[at]
  const go = (step: number) => {
    const next = images[at + step]
    if (next) onChange(next.id)
  }
  const count = images.length
  const position = at + 1
  return (
    <DialogPrimitive.Root open={image !== undefined} onOpenChange={(open) => !open && onClose()}>
      <DialogPrimitive.Portal>
        <DialogPrimitive.Overlay className="fixed inset-0 z-50 bg-black/95 data-[state=open]:animate-in data-[state=open]:fade-in-0" />
        <DialogPrimitive.Content
          aria-describedby={undefined}
          onKeyDown={(event) => {
            if (event.key === 'ArrowLeft') go(-1)
            if (event.key === 'ArrowRight') go(1)
          }}
          className="fixed inset-0 z-50 flex flex-col text-white outline-none"
        >
          <ReturnFocus />
          <DialogPrimitive.Title className="sr-only">{t`Imagem ${position} de ${count}`}</DialogPrimitive.Title>
          {image && (
            <>
              <div className="flex h-13 shrink-0 items-center gap-1 px-3 text-sm">
                <span className="min-w-0 flex-1 truncate text-white/75 tabular-nums">
                  {dateText(i18n.locale, image.createdAt, 'moment')}
                </span>
                <SaveButton image={image} label={t`Baixar`} />
                <DialogPrimitive.Close asChild>
                  <Round label={t`Fechar`}>
                    <X className="size-5" />
                  </Round>
                </DialogPrimitive.Close>
              </div>
              <Picture key={image.id} image={image} />
              {captionOf(image) && (
                <p className="max-h-28 shrink-0 overflow-y-auto px-6 py-3 text-center text-sm">
                  <FormattedText text={captionOf(image)} messageId={image.id} isCut={image.isCut} />
                </p>
              )}
              {at > 0 && (
                <Round
                  label={t`Imagem anterior`}
                  onClick={() => go(-1)}
                  className="absolute top-1/2 left-3 -translate-y-1/2 bg-black/40"
                >
                  <ChevronLeft className="size-6" />
                </Round>
              )}
              {at < count - 1 && (
                <Round
                  label={t`Próxima imagem`}
                  onClick={() => go(1)}
                  className="absolute top-1/2 right-3 -translate-y-1/2 bg-black/40"
                >
                  <ChevronRight className="size-6" />
                </Round>
              )}
            </>
          )}
        </DialogPrimitive.Content>
      </DialogPrimitive.Portal>
    </DialogPrimitive.Root>
  )
}

function Picture({ image }: { image: MessageRow }) {
  const { t } = useLingui()
  const [large, setLarge] = useState(false)
  const media = useMedia(mediaSource(image, null))
  return (
    <div className="flex min-h-0 flex-1 overflow-auto p-2">
      <div
        className="m-auto flex max-h-full max-w-full data-[large=true]:max-h-none data-[large=true]:max-w-none"
        data-large={large}
      >
        {media.url ? (
          <button
            type="button"
            aria-label={large ? t`Reduzir` : t`Ampliar`}
            onClick={() => setLarge(!large)}
            className={large ? 'cursor-zoom-out!' : 'flex max-h-full max-w-full cursor-zoom-in!'}
          >
            <img
              src={media.url}
              alt={captionOf(image)}
              className={large ? 'max-w-none' : 'max-h-[calc(100dvh-8rem)] max-w-full object-contain'}
            />
          </button>
        ) : media.error ? (
          <p role="alert">{errorText(media.error)}</p>
        ) : (
          <Spinner className="size-6" />
        )}
      </div>
    </div>
  )
}

function SaveButton({ image, label }: { image: MessageRow; label: string }) {
  const media = useMedia(mediaSource(image, null))
  return (
    <Round
      label={label}
      onClick={() => {
        if (media.blob) saveBlob(media.blob, image.mediaName ?? 'imagem')
        else if (media.url) open(media.url)
      }}
    >
      <Download className="size-5" />
    </Round>
  )
}

function Round({
  label,
  className = '',
  children,
  ...props
}: {
  label: string
  className?: string
  onClick?: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      className={`focus-ring flex size-10 items-center justify-center rounded-full hover:bg-white/15 ${className}`}
      {...props}
    >
      {children}
    </button>
  )
}
