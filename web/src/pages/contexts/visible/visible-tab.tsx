import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { ContextFacts, Explanation, Question } from '../../../api/contexts.ts'
import { ExplainForm } from './explain-form.tsx'
import { HiddenList } from './hidden-list.tsx'
import { RegistrationList } from './registration-list.tsx'
import classes from './visible.module.css'
import { GROUPS, hiddenFrom, type Visible, visibleGroups } from './visible-groups.ts'

interface VisibleTabProps {
  readonly contexts: readonly ContextFacts[]
  readonly context: ContextFacts
  readonly onChoose: (path: string) => void
  readonly onAnswer: (answer: Explanation | undefined) => void
}

type Origin = 'all' | 'own' | 'inherited'

/** What a context sees and from where; what it does not see; and why, for any name. */
export function VisibleTab({ contexts, context, onChoose, onAnswer }: VisibleTabProps) {
  const [question, setQuestion] = useState<Question>()
  const [origin, setOrigin] = useState<Origin>('all')
  const groups = visibleGroups(contexts, context.path)
    .map(([group, found]) => [group, found.filter((visible) => isOf(visible, origin))] as const)
    .filter(([, found]) => found.length > 0)
  const ask = (asked: Pick<Question, 'kind' | 'name'>) => setQuestion({ ...asked, context: context.path })
  return (
    <div className={classes.tab}>
      <ExplainForm
        contexts={contexts}
        context={context.path}
        question={question}
        onAsk={ask}
        onChoose={onChoose}
        onAnswer={onAnswer}
      />
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label="Where it is registered"
          value={origin}
          onChange={(value) => setOrigin(value as Origin)}
          data={[
            { value: 'all', label: `All ${context.sees.length}` },
            { value: 'own', label: 'Registered here' },
            { value: 'inherited', label: 'Inherited' }
          ]}
        />
      </div>
      {groups.length === 0 && <p className={classes.empty}>{NOTHING[origin]}</p>}
      {groups.map(([group, found]) => (
        <RegistrationList key={group} {...GROUPS[group]} registrations={found} onChoose={onChoose} />
      ))}
      <HiddenList
        hidden={hiddenFrom(contexts, context.path)}
        context={context.path}
        onAsk={ask}
        onChoose={onChoose}
      />
    </div>
  )
}

const NOTHING: Readonly<Record<Origin, string>> = {
  all: 'Nothing is visible here.',
  own: 'Nothing is registered here: all that is visible comes from above.',
  inherited: 'Nothing comes from above.'
}

function isOf({ inherited_from }: Visible, origin: Origin): boolean {
  return origin === 'all' || (origin === 'own') === (inherited_from === null)
}
