import type { Locator } from 'playwright-core'

/** Writes over what an editor of code holds, as a hand does. */
export async function writeCode(area: Locator, text: string): Promise<void> {
  const { keyboard } = area.page()
  await area.click()
  await area.and(area.page().locator(':focus')).waitFor()
  await keyboard.press('ControlOrMeta+A')
  await keyboard.insertText(text)
}

/** What an editor of code holds. */
export async function readCode(area: Locator): Promise<string> {
  return (await area.locator('.cm-line').allInnerTexts()).map((line) => line.replace(/\n$/, '')).join('\n')
}
