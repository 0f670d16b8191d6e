import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  addRow,
  duplicateRow,
  type FormRow,
  formRows,
  moveRow,
  nameFor,
  placeAfterMove,
  sampleAnswers,
  withLabel
} from './form-rows.ts'

const ROWS: FormRow[] = [
  { name: 'a', label: 'A' },
  { name: 'own', label: 'B' },
  { name: 'c', label: 'C' }
]

describe('the fields of a form, while they are edited', () => {
  it('have names that follow their labels, until somebody writes one', () => {
    assert.equal(nameFor('Your e-mail?'), 'your_e_mail')
    assert.deepEqual(withLabel(ROWS, 0, 'Full name')[0], { name: 'full_name', label: 'Full name' })
    assert.deepEqual(withLabel(ROWS, 1, 'Full name')[1], { name: 'own', label: 'Full name' })
    assert.equal(withLabel(ROWS, 0, 'C')[0]!.name, 'c_2')
    assert.equal(withLabel(withLabel(ROWS, 0, 'C'), 0, 'Ca')[0]!.name, 'ca')
  })

  it('have names of their own when they are added', () => {
    const added = addRow(addRow(ROWS))
    assert.deepEqual(
      added.slice(3).map(({ name }) => name),
      ['new_field', 'new_field_2']
    )
    assert.equal(duplicateRow(ROWS, 1)[2]!.name, 'own_2')
  })

  it('move, and who looks at one stays with it', () => {
    const places = [0, 1, 2, 3, 4]
    for (const from of places) {
      for (const to of places) {
        const moved = moveRow(places, from, to)
        for (const at of places) assert.equal(moved[placeAfterMove(at, from, to)], at)
      }
    }
  })

  it('are left alone where they are no rows', () => {
    assert.equal(formRows({}), undefined)
    assert.equal(formRows(['a']), undefined)
    assert.deepEqual(formRows([{}]), [{}])
  })

  it('have answers to try the flow with', () => {
    const fields = [
      { name: 'a', type: 'text', choices: [] },
      { name: 'b', type: 'choice', choices: ['x'] },
      { name: 'c', type: 'checkbox', choices: [] }
    ]
    assert.deepEqual(sampleAnswers(fields), { a: 'Text', b: 'x', c: true })
  })
})
