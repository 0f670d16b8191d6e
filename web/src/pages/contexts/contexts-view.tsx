import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ContextFacts, Explanation } from '../../api/contexts.ts'
import { EmptyState } from '../../design/empty-state.tsx'
import { IconMapOff } from '../../design/icons/contexts-icons.ts'
import { ContextDetails } from './context-details.tsx'
import { ContextTree } from './tree/context-tree.tsx'
import type { ChosenContext } from './use-chosen-context.ts'

interface ContextsViewProps {
  readonly contexts: readonly ContextFacts[]
  readonly chosen: ChosenContext
}

/** The picture, and below it the chosen context. */
export function ContextsView({ contexts, chosen }: ContextsViewProps) {
  const [answer, setAnswer] = useState<Explanation>()
  return (
    <>
      <ContextTree
        contexts={contexts}
        chosen={chosen.path}
        marked={placesIn(answer)}
        onChoose={(path, isQuick) => {
          setAnswer(undefined)
          chosen.choose(path, isQuick)
        }}
      />
      {chosen.context === undefined ? (
        <EmptyState
          icon={IconMapOff}
          title={`There is no context ${chosen.path}`}
          actions={
            <Button variant="default" onClick={() => chosen.choose('/')}>
              Show the root
            </Button>
          }
        >
          It was renamed, moved or deleted, or the plugin that makes it is not loaded.
        </EmptyState>
      ) : (
        <ContextDetails
          key={chosen.context.path}
          contexts={contexts}
          context={chosen.context}
          chosen={chosen}
          onAnswer={setAnswer}
        />
      )}
    </>
  )
}

/** Where the name that was asked for is registered. */
function placesIn(answer: Explanation | undefined): ReadonlySet<string> {
  if (answer === undefined) return new Set()
  return new Set(
    answer.visible ? [answer.registered_in] : answer.elsewhere.map((place) => place.registered_in)
  )
}
