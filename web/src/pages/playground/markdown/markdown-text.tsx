import { Children, type ComponentProps } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { IconPhoto } from '../../../design/icons/page-icons.ts'
import { CodeBlock } from './code-block.tsx'
import classes from './message-text.module.css'
import { plainParts } from './plain-parts.ts'
import { linkTo } from './safe-address.ts'

/**
 * Markdown of somebody else. Four things keep it harmless, each by itself: HTML is never read, it is text like all
 * other; links and images go through plain-parts.ts; only the elements below are made; and the policy of the page
 * loads and runs nothing that is not its own.
 */
export function MarkdownText({ text }: { readonly text: string }) {
  return (
    <Markdown
      remarkPlugins={REMARK}
      rehypePlugins={REHYPE}
      components={COMPONENTS}
      allowedElements={ELEMENTS}
      unwrapDisallowed
    >
      {text}
    </Markdown>
  )
}

const REMARK = [remarkGfm]
const REHYPE = [plainParts]

const ELEMENTS = [
  ...['a', 'blockquote', 'br', 'code', 'del', 'em', 'hr', 'input', 'p', 'pre', 'span', 'strong', 'sup'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'ol', 'section', 'ul'],
  ...['table', 'tbody', 'td', 'th', 'thead', 'tr']
]

type Given<Tag extends keyof React.JSX.IntrinsicElements> = ComponentProps<Tag> & {
  readonly node?: { readonly properties?: Readonly<Record<string, unknown>> } | undefined
}

function MessageLink({ href = '', children }: Given<'a'>) {
  const address = linkTo(href)
  if (address === undefined) return <>{children}</>
  return (
    <a href={address} title={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

/** The headings of a message are not headings of the page. */
function Heading({ children }: { readonly children?: React.ReactNode }) {
  return <p className={classes.heading}>{children}</p>
}

/** Plain-parts.ts says what a span stands for. */
function Plain({ node, children }: Given<'span'>) {
  const kind = node?.properties?.dataPlain
  if (kind === 'footnote') return <sup>{children}</sup>
  return (
    <span className={classes.plain}>
      {kind === 'image' && <IconPhoto size={14} aria-label="Image" role="img" />}
      {children}
    </span>
  )
}

interface CodeElement {
  readonly props: { readonly className?: string; readonly children?: React.ReactNode }
}

function Block({ children }: Given<'pre'>) {
  const { className = '', children: code } = (children as CodeElement | undefined)?.props ?? {}
  const language = /language-([\w+#.-]{1,20})/.exec(className)?.[1]
  const text = String(code ?? '').replace(/\n$/, '')
  return <CodeBlock text={text} {...(language === undefined ? {} : { language })} />
}

function ScrollingTable({ children }: Given<'table'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields.
    <div className={classes.table} role="group" tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </div>
  )
}

/** Line breaks of the source that stand around a list within: kept as all others are, they would be empty lines. */
function ListItem({ className = '', children }: Given<'li'>) {
  const isTask = className.includes('task-list-item')
  return (
    <li className={isTask ? classes.task : undefined}>
      {Children.toArray(children).filter((child) => child !== '\n')}
    </li>
  )
}

const COMPONENTS: Components = {
  a: MessageLink,
  span: Plain,
  pre: Block,
  li: ListItem,
  table: ScrollingTable,
  code: ({ children }) => <code>{children}</code>,
  // A box of a list of tasks: it cannot be ticked here.
  input: ({ checked }) => <span>{checked === true ? '☑' : '☐'}</span>,
  // The footnotes.
  section: ({ children }) => <div className={classes.notes}>{children}</div>,
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading
}
