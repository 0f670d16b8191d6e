import { Radio } from '@mantine/core'
import { Fragment } from 'react'
import type { FlowNode } from '../../api/shapes.ts'
import { IconArrowRight } from '../../design/icons/page-icons.ts'
import classes from './new-flow-dialog.module.css'

interface TemplateCardProps {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly nodes: readonly FlowNode[]
}

export function TemplateCard({ id, title, summary, nodes }: TemplateCardProps) {
  return (
    <Radio.Card
      value={id}
      className={classes.card!}
      data-wide={nodes.length === 0 || undefined}
      aria-label={`${title}. ${summary}`}
    >
      <span className={classes.cardTitle}>{title}</span>
      <span className={classes.summary}>{summary}</span>
      {nodes.length > 0 && <Chain nodes={nodes} />}
    </Radio.Card>
  )
}

const WORDS: Readonly<Record<string, string>> = {
  webhook: 'Webhook',
  parser: 'Parser',
  prompt: 'Prompt',
  'if-else': 'If-Else',
  'for-each': 'For each',
  approve: 'Approve',
  return: 'Return',
  'api-request': 'API Request',
  sql: 'SQL',
  'language-model': 'Language Model',
  schedule: 'Schedule',
  'run-failed': 'Run failed',
  'chat-input': 'Chat Input',
  'chat-output': 'Chat Output'
}

/** The kinds of node on the way, each once. */
function Chain({ nodes }: { readonly nodes: readonly FlowNode[] }) {
  const types = [...new Set(nodes.map(({ type }) => type))]
  return (
    <span className={classes.chain}>
      {types.map((type, index) => (
        <Fragment key={type}>
          {index > 0 && <IconArrowRight size={12} aria-hidden />}
          <span>{WORDS[type] ?? type}</span>
        </Fragment>
      ))}
    </span>
  )
}
