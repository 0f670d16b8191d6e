// The browser tests drive a real Chromium. Debian and its kin have one to install; elsewhere a person has to.
import { existsSync } from 'node:fs'
import { installDebianPackage } from './install-debian-package.mjs'

const places = [
  process.env.CHROMIUM,
  // The same engine without what makes a window of it: tests take two thirds of the processor's time that they take in
  // the whole one. Not the command of this name, which is a shell that stays in between.
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium'
]

/** How it is started: without a window, and without talking to anybody but the service. */
export const browserFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
]

/** Where a Chromium is, or undefined. */
export function findBrowser() {
  return places.find((path) => path && existsSync(path))
}

/** For `installTogether`. */
export const browserPackages = {
  names: ['chromium-headless-shell'],
  isThere: () => findBrowser() !== undefined
}

/** Installs Chromium where that is possible without asking anybody; ends the process with the remedy elsewhere. */
export async function ensureBrowser() {
  if (findBrowser()) return
  for (const name of ['chromium-headless-shell', 'chromium']) {
    await installDebianPackage(name, `Installing ${name} for the browser tests…`)
    if (findBrowser()) return
  }
  console.error('The browser tests need Chromium, and none was found.')
  console.error(
    'Remedy: install it (Debian: apt-get install chromium-headless-shell), or set CHROMIUM to its path.'
  )
  process.exit(1)
}
