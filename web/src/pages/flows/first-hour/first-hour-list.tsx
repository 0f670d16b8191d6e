import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useKeys } from '../../../api/keys.ts'
import { useSession } from '../../../api/session.ts'
import type { ListedFlow } from '../../../api/shapes.ts'
import { HelpLink } from '../../../design/help-link.tsx'
import { IconCircleCheck, IconCircleDotted } from '../../../design/icons/page-icons.ts'
import classes from './first-hour.module.css'
import { hourSteps } from './first-hour.ts'

const HIDDEN = 'millrace.first-hour.hidden'

/** What to do first, and how far one is. It goes when all of it is done, or when somebody wants it to. */
export function FirstHourList({ flows }: { readonly flows: readonly ListedFlow[] }) {
  const session = useSession()
  const isAdmin =
    session?.rights.includes('admin') === true &&
    session.flow_id === null &&
    (session.context === null || session.context === '/')
  return isAdmin ? <WithKeys flows={flows} /> : <Steps flows={flows} keys={undefined} />
}

function WithKeys({ flows }: { readonly flows: readonly ListedFlow[] }) {
  const { data } = useKeys()
  return data === undefined ? null : <Steps flows={flows} keys={data.length} />
}

interface StepsProps {
  readonly flows: readonly ListedFlow[]
  readonly keys: number | undefined
}

function Steps({ flows, keys }: StepsProps) {
  const [isHidden, setHidden] = useState(wasHidden)
  const steps = hourSteps(flows, keys)
  const done = steps.filter(({ isDone }) => isDone).length
  if (isHidden || done === steps.length) return null
  return (
    <section className={classes.hour} aria-label="Your first hour">
      <header className={classes.head}>
        <h2>Your first hour</h2>
        <span className={classes.count}>
          {done} of {steps.length}
        </span>
        <HelpLink to="tutorial">The tutorial</HelpLink>
        <UnstyledButton
          className={classes.hide!}
          onClick={() => {
            rememberHidden()
            setHidden(true)
          }}
        >
          Hide
        </UnstyledButton>
      </header>
      <ul className={classes.steps}>
        {steps.map(({ id, title, hint, help, isDone }) => (
          <li key={id} data-done={isDone}>
            {isDone ? <IconCircleCheck size={18} aria-hidden /> : <IconCircleDotted size={18} aria-hidden />}
            <div>
              <strong>{title}</strong>
              {isDone && <span className="visually-hidden"> (done)</span>}
              {!isDone && (
                <p>
                  {hint} <HelpLink to={help}>How</HelpLink>
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function wasHidden(): boolean {
  try {
    return localStorage.getItem(HIDDEN) !== null
  } catch {
    return false
  }
}

function rememberHidden(): void {
  try {
    localStorage.setItem(HIDDEN, 'yes')
  } catch {
    // Storage is blocked: it is hidden until the page is loaded again.
  }
}
