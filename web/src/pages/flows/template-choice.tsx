import { Chip, Group, Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import { IconSearch } from '../../design/icons/page-icons.ts'
import classes from './new-flow-dialog.module.css'
import { TemplateCard } from './template-card.tsx'
import { COMPONENT_TITLES } from './templates/component-titles.ts'
import { findTemplates, TOPICS, type Topic } from './templates/find-templates.ts'
import { GALLERY } from './templates/gallery.ts'

/** What is no template: an empty canvas, or what builds it from the first request. */
export const BLANK = 'blank'
export const BY_REQUEST = 'by-request'

interface TemplateChoiceProps {
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

/** A blank canvas, or a worked flow: found by its words, or by what somebody wants it to do. */
export function TemplateChoice({ chosen, onChoose }: TemplateChoiceProps) {
  const [search, setSearch] = useState('')
  const [topic, setTopic] = useState<Topic>()
  const found = findTemplates(GALLERY, { search, topic }, (type) => COMPONENT_TITLES[type] ?? type)
  const isAll = search.trim() === '' && topic === undefined
  return (
    <div>
      <div className={classes.find}>
        <TextInput
          aria-label="Search templates"
          placeholder="Search templates"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // It chooses, and makes nothing yet.
            event.preventDefault()
            if (found[0] !== undefined) onChoose(found[0].id)
          }}
        />
        <Group gap={6}>
          {Object.entries(TOPICS).map(([id, title]) => (
            <Chip
              key={id}
              size="xs"
              checked={topic === id}
              onChange={(isChosen) => setTopic(isChosen ? (id as Topic) : undefined)}
            >
              {title}
            </Chip>
          ))}
        </Group>
      </div>
      <Radio.Group label="Begin with" value={chosen} onChange={onChoose}>
        <div className={classes.gallery}>
          {isAll && (
            <>
              <TemplateCard id={BLANK} title="Blank" summary="An empty canvas." nodes={[]} />
              <TemplateCard
                id={BY_REQUEST}
                title="Send me something"
                summary="Begins with its address. One real request shows its keys, and the page offers what fits."
                nodes={[]}
              />
            </>
          )}
          {found.map(({ id, title, summary, document }) => (
            <TemplateCard key={id} id={id} title={title} summary={summary} nodes={document.nodes} />
          ))}
        </div>
      </Radio.Group>
      {found.length === 0 && (
        <p className={classes.none}>No template is like that. Begin with a blank canvas.</p>
      )}
    </div>
  )
}
