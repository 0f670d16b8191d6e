import { Button, Collapse, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Question, Registration } from '../../../api/contexts.ts'
import { IconChevronDown, IconChevronRight, IconEyeOff } from '../../../design/icons/page-icons.ts'
import { KIND_WORDS } from './kind-words.ts'
import classes from './visible.module.css'

interface HiddenListProps {
  readonly hidden: readonly Registration[]
  readonly context: string
  readonly onAsk: (question: Pick<Question, 'kind' | 'name'>) => void
  readonly onChoose: (path: string) => void
}

/** What is registered elsewhere and not seen from here; each can be asked for its reason. */
export function HiddenList({ hidden, context, onAsk, onChoose }: HiddenListProps) {
  const [isOpen, list] = useDisclosure(false)
  if (hidden.length === 0) return null
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <section>
      <UnstyledButton className={classes.fold!} onClick={list.toggle} aria-expanded={isOpen}>
        <Chevron size={16} aria-hidden />
        <IconEyeOff size={16} aria-hidden />
        <span>
          Hidden from {context}: {hidden.length}
        </span>
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <ul className={classes.list} aria-label="Hidden">
          {hidden.map((registration) => (
            <li key={`${registration.kind} ${registration.name}`} className={classes.hiddenRow}>
              <span className={classes.registration}>
                <code className={classes.name}>{registration.name}</code>
                <span className={classes.help}>{KIND_WORDS[registration.kind]}</span>
              </span>
              <span className={classes.origin}>
                <span>
                  In{' '}
                  <button
                    type="button"
                    className={classes.place}
                    onClick={() => onChoose(registration.context)}
                  >
                    {registration.context}
                  </button>
                </span>
              </span>
              <Button
                variant="default"
                size="compact-xs"
                className={classes.whyButton!}
                aria-label={`Why is ${registration.name} hidden?`}
                onClick={() => onAsk(registration)}
              >
                Why?
              </Button>
            </li>
          ))}
        </ul>
      </Collapse>
    </section>
  )
}
