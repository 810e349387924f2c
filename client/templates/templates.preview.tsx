import { Copy, ExternalLink, FileText, Image, MapPin, Phone, Reply, Video } from 'lucide-react'
import {
  fileKindOf,
  type TemplateParts,
  shownTemplate,
  type TemplateValues,
} from '../../schema/templates/templates.parts.ts'
import { FormattedText } from '../kit/formatted-text.tsx'
import { cn } from '../ui/cn.ts'

const fileIcons = {
  image: <Image aria-hidden="true" />,
  video: <Video aria-hidden="true" />,
  document: <FileText aria-hidden="true" />,
}
const icons = { reply: Reply, url: ExternalLink, phone: Phone, code: Copy }

/** A message by a template as WhatsApp shows it to its reader. */
export function TemplatePreview({
  parts,
  values,
  className,
}: {
  parts: TemplateParts
  values: TemplateValues
  className?: string
}) {
  const { place, header, body, footer } = shownTemplate(parts, values)
  const kind = fileKindOf(parts)
  return (
    <div
      data-testid="template-preview"
      className={cn(
        'flex max-w-sm flex-col rounded-xl rounded-br-sm bg-bubble-out text-[0.8125rem] shadow-xs',
        className,
      )}
    >
      {kind && (
        <span className="m-1 flex h-24 items-center justify-center rounded-lg bg-foreground/10 text-muted-foreground [&_svg]:size-8">
          {fileIcons[kind]}
        </span>
      )}
      {parts.header?.kind === 'location' && (
        <span className="m-1 flex flex-col overflow-hidden rounded-lg bg-foreground/10">
          <span className="flex h-20 items-center justify-center text-destructive">
            <MapPin aria-hidden="true" className="size-7" />
          </span>
          <span className="truncate px-2.5 pb-2 font-medium">{place || '…'}</span>
        </span>
      )}
      <div dir="auto" className="flex flex-col gap-1 px-2.5 py-1.5 leading-[1.45] wrap-anywhere whitespace-pre-wrap">
        {header && <p className="font-semibold">{header}</p>}
        {body ? <FormattedText text={body} /> : <p className="text-muted-foreground">…</p>}
        {footer && <p className="text-xs text-muted-foreground">{footer}</p>}
      </div>
      {parts.buttons.map(({ kind, text }, i) => {
        const Icon = icons[kind]
        return (
          <p
            key={i}
            className="flex items-center justify-center gap-1.5 border-t border-foreground/10 px-2.5 py-1.5 text-center font-medium text-primary-soft-foreground"
          >
            <Icon aria-hidden="true" className="size-3.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">{text || '…'}</span>
          </p>
        )
      })}
    </div>
  )
}
