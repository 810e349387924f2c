import { Fragment, memo, useMemo } from 'react'
import type { ReactNode } from 'react'
import { isJumbo, parseText, type TextNode } from './text-format.ts'
import { cn } from '../ui/cn.ts'

/** A message text with WhatsApp's marks and links. */
export const FormattedText = memo(function FormattedText({ text, className }: { text: string; className?: string }) {
  const nodes = useMemo(() => parseText(text), [text])
  return (
    <span className={cn('wrap-anywhere whitespace-pre-wrap', isJumbo(text) && 'text-4xl leading-tight', className)}>
      {draw(nodes)}
    </span>
  )
})

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
    case 'bold':
      return <strong className="font-semibold">{draw(node.children)}</strong>
    case 'italic':
      return <em>{draw(node.children)}</em>
    case 'strike':
      return <s>{draw(node.children)}</s>
  }
}
