import { Component, useDeferredValue } from 'react'
import { isHeavy, isTame } from './is-tame.ts'

interface GuardedMarkdownProps {
  readonly text: string
  /** The text as it is: where it would keep the parser busy, or the parser fails at it. */
  readonly plain: React.ReactNode
  /** The part that makes Markdown of it. */
  readonly children: React.ReactNode
}

/** Markdown of somebody else, wherever it is shown: no text takes the page with it. */
export function GuardedMarkdown({ text, plain, children }: GuardedMarkdownProps) {
  if (!isTame(text)) return plain
  return (
    <PlainWhenFailed key={text} plain={plain}>
      {isHeavy(text) ? <DeferredMarkdown plain={plain}>{children}</DeferredMarkdown> : children}
    </PlainWhenFailed>
  )
}

/** As it is at first; Markdown is made of it when the page has nothing better to do. */
function DeferredMarkdown({ plain, children }: Omit<GuardedMarkdownProps, 'text'>) {
  return useDeferredValue(true, false) ? children : plain
}

/** A text that the parser fails at must not take the page with it. */
class PlainWhenFailed extends Component<Omit<GuardedMarkdownProps, 'text'>, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? this.props.plain : this.props.children
  }
}
