/**
 * What other settings have to be for something to matter: each of those that are named has one of these values; an
 * empty list stands for any value at all. Data, so that the page can follow it while somebody fills in a form.
 */
export type SettingCondition = Readonly<Record<string, readonly unknown[]>>

export function holds(when: SettingCondition, settings: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(when).every(([name, values]) => {
    const value = settings[name]
    return values.length === 0 ? value !== undefined && value !== '' : values.includes(value)
  })
}
