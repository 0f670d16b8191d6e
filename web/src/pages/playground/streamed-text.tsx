import { useRunTexts } from '../../api/live.ts'
import type { Flow } from '../../api/shapes.ts'
import { IconCpu } from '../../design/icons/list-icons.ts'
import { MessageText } from './markdown/message-text.tsx'
import classes from './message-view.module.css'

interface StreamedTextProps {
  readonly flow: Flow
  readonly runId: string
}

/** What the run is saying: the text of steps that a Chat Output will print. Its message takes the place of this. */
export function StreamedText({ flow, runId }: StreamedTextProps) {
  const texts = useRunTexts(runId)
  if (texts.size === 0) return null
  const printed = printedNodes(flow)
  return [...texts]
    .filter(([node]) => printed.has(node))
    .map(([node, text]) => (
      <article key={node} className={classes.message} aria-label="Message being written" aria-busy>
        <header className={classes.head}>
          <IconCpu size={14} aria-hidden />
          <span className={classes.sender}>Machine</span>
        </header>
        <div className={classes.body} data-testid="streamed-text">
          <MessageText text={text} isPlain={false} />
        </div>
      </article>
    ))
}

function printedNodes({ nodes, edges }: Flow): Set<string> {
  const outputs = new Set(nodes.filter(({ type }) => type === 'chat-output').map(({ id }) => id))
  const nodeOf = (end: string) => end.slice(0, end.lastIndexOf('.'))
  return new Set(edges.filter(({ to }) => outputs.has(nodeOf(to))).map(({ from }) => nodeOf(from)))
}
