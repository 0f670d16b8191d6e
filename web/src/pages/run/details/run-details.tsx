import { Link } from 'react-router'
import { useApi } from '../../../api/api-context.ts'
import { resultOf } from '../../../api/items.ts'
import type { Run, RunMessage } from '../../../api/shapes.ts'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { ValueView } from '../../../design/value-view/value-view.tsx'
import { filesInText } from '../../../file-parts/files-in.ts'
import { ShownFiles } from '../../../file-parts/shown-file.tsx'
import type { RunFlow } from '../use-run-flow.ts'
import { AnswerView } from './answer-view.tsx'
import classes from './details.module.css'
import { DetailsSection } from './details-section.tsx'
import { RequestView } from './request-view.tsx'
import { toldCaller } from './told-caller.ts'

/** What the run began with, what it gave back, and what it printed. */
export function RunDetails({ run, flow }: { readonly run: Run; readonly flow: RunFlow }) {
  const api = useApi()
  const result = resultOf(run)
  const told = toldCaller(run, flow.document)
  return (
    <div className={classes.pair}>
      <DetailsSection
        title="Input"
        beside={
          <a
            className={classes.raw}
            href={api.address(`runs/${run.id}/input`)}
            target="_blank"
            rel="noreferrer"
          >
            As it was sent
          </a>
        }
      >
        <ValueView value={run.input} label="input of the run" />
      </DetailsSection>
      <div className={classes.stack}>
        {result !== undefined && (
          <DetailsSection title="Result">
            <ValueView value={result} label="result of the run" />
          </DetailsSection>
        )}
        {told !== undefined && (
          <DetailsSection title="Answer">
            <AnswerView told={told} address={run.request?.address} />
          </DetailsSection>
        )}
        <DetailsSection title="Messages" beside={<PlaygroundLink run={run} />}>
          <Messages messages={run.messages} />
        </DetailsSection>
        {run.request !== null && (
          <DetailsSection title="Request">
            <RequestView request={run.request} />
          </DetailsSection>
        )}
      </div>
    </div>
  )
}

function PlaygroundLink({ run }: { readonly run: Run }) {
  const session = run.messages.at(-1)?.session ?? run.session
  return (
    <Link
      className={classes.raw}
      to={`/flows/${run.flow_id}/playground?session=${encodeURIComponent(session)}`}
    >
      Open the Playground
    </Link>
  )
}

function Messages({ messages }: { readonly messages: readonly RunMessage[] }) {
  if (messages.length === 0) return <p className={classes.empty}>This run printed nothing.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard.
    <section className={classes.messages} tabIndex={0} aria-label="What it printed">
      <ul>
        {messages.map((message) => (
          <li key={message.id}>
            <div className={classes.messageHead}>
              <strong>{message.sender}</strong>
              <code>{message.node}</code>
              <RelativeTime at={message.created_at} />
            </div>
            {/* As text: what a payload holds is never taken for markup here. */}
            <MessageText text={message.text} />
            <ShownFiles files={filesInText(message.text)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** So much of a message as can be read at a glance; the whole is in the output of its step. */
const GLANCE = 2_000

function MessageText({ text }: { readonly text: string }) {
  return (
    <p className={classes.messageText}>
      {text.slice(0, GLANCE)}
      {text.length > GLANCE && (
        <span className={classes.empty}> … {(text.length - GLANCE).toLocaleString()} characters more</span>
      )}
    </p>
  )
}
