import { Trans } from '@lingui/react/macro'
import { createContext, Fragment, memo, use, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { toastError } from '../session/failure.tsx'
import { folded, isJumbo, parseText } from './text-format.ts'
import type { TextNode } from './text-tree.ts'
import { cn } from '../ui/cn.ts'
import { wholeText } from './whole-text.ts'

interface Shown {
  text: string
  className?: string | undefined
}

interface Origin {
  messageId?: string
  isCut?: boolean
}

/**
 * A message text with WhatsApp's marks and links. A long one shows its beginning until somebody asks for the rest.
 * @param messageId where the rest is fetched from, if the text is the body of a message
 * @param isCut whether there is a rest; without it, the text is all there is
 */
export const FormattedText = memo(function FormattedText({ messageId, isCut, ...shown }: Shown & Origin) {
  const beginning = useMemo(() => folded(shown.text), [shown.text])
  if (beginning === null) return <PlainlyFormatted {...shown} />
  // By the text: another one, after an edit, is folded again.
  return <LongText key={shown.text} beginning={beginning} messageId={isCut ? messageId : undefined} {...shown} />
})

function PlainlyFormatted({ text, className }: Shown) {
  const nodes = useMemo(() => parseText(text), [text])
  return (
    <span
      data-said
      className={cn('wrap-anywhere whitespace-pre-wrap', isJumbo(text) && 'text-4xl leading-tight', className)}
    >
      {draw(nodes)}
    </span>
  )
}

function LongText({
  text,
  beginning,
  messageId,
  className,
}: Shown & { beginning: string; messageId?: string | undefined }) {
  const [whole, setWhole] = useState<string | null>(null)
  const [isAsked, setAsked] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  /** Where the text began on the screen before it was opened or folded. */
  const top = useRef<number | null>(null)

  useLayoutEffect(() => {
    const scroller = place.current?.closest('[data-conversation]')
    if (top.current === null || !scroller || !place.current) return
    // The conversation is held at its end; who reads on goes on where the text was.
    scroller.scrollTop += place.current.getBoundingClientRect().top - top.current
    top.current = null
  }, [isOpen])

  const turn = (open: boolean) => {
    top.current = place.current?.getBoundingClientRect().top ?? null
    setOpen(open)
  }
  const read = async () => {
    if (whole !== null) return turn(true)
    setAsked(true)
    try {
      setWhole(messageId === undefined ? text : await wholeText(messageId))
      turn(true)
    } catch (error) {
      toastError(error)
    }
    setAsked(false)
  }
  return (
    // Marks that stand above and below their letter without end stay inside.
    <span ref={place} className="block overflow-clip">
      <PlainlyFormatted text={isOpen && whole !== null ? whole : `${beginning}…`} className={className} />{' '}
      <button
        type="button"
        data-fold
        disabled={isAsked}
        aria-expanded={isOpen}
        onClick={() => (isOpen ? turn(false) : void read())}
        className="focus-ring rounded-sm font-medium text-primary-soft-foreground underline-offset-2 hover:underline disabled:opacity-60"
      >
        {isOpen ? <Trans>Ler menos</Trans> : <Trans>Ler mais</Trans>}
      </button>
    </span>
  )
}

/** What stands for a telephone number in a text; null where it is text like the rest. */
export const PhonesContext = createContext<{
  Phone: ComponentType<{ text: string; digits: string }>
  /** Whether a number without a plus is one of Brazil, whose numbers a text is looked through for. */
  isBrazilian: boolean
} | null>(null)

const draw = (nodes: readonly TextNode[]): ReactNode =>
  nodes.map((node, index) => <Fragment key={index}>{drawOne(node)}</Fragment>)

function drawOne(node: TextNode): ReactNode {
  switch (node.type) {
    case 'text':
      return node.text
    case 'code':
      return <code className="rounded-sm bg-foreground/7 px-1 py-0.5 font-mono text-[0.8125em]">{node.text}</code>
    case 'link':
      return (
        <a
          href={node.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="focus-ring rounded-sm text-primary-soft-foreground underline underline-offset-2 hover:decoration-2"
        >
          {node.text}
        </a>
      )
    case 'phone':
      return <PhoneInText text={node.text} digits={node.digits} />
    case 'bold':
      return <strong className="font-semibold">{draw(node.children)}</strong>
    case 'italic':
      return <em>{draw(node.children)}</em>
    case 'strike':
      return <s>{draw(node.children)}</s>
  }
}

function PhoneInText({ text, digits }: { text: string; digits: string }) {
  const phones = use(PhonesContext)
  if (!phones || !(phones.isBrazilian || text.startsWith('+'))) return text
  return <phones.Phone text={text} digits={digits} />
}
