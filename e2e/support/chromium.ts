/** Finds a Chromium: a configured one, the system's, or Playwright's own. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** This one shows no window, and opens a page in two thirds of the time. */
const headlessPrograms = ['chromium-headless-shell']

const browserPrograms = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
]

export const noChromiumMessage =
  'No Chromium was found: install one ("apt-get install chromium" on Debian, "npx playwright install chromium" elsewhere) or set CHROMIUM_PATH to its executable.'

/** Returns the browser that Playwright drives: one without windows, if it is installed. */
export const findTestBrowser = (): string | undefined =>
  findExecutable([...headlessPrograms, ...browserPrograms])

/** Returns the full browser that a person has, whose tabs can be visible or hidden. */
export const findFullBrowser = (): string | undefined => findExecutable(browserPrograms)

function findExecutable(programs: readonly string[]): string | undefined {
  const configuredPath = process.env.CHROMIUM_PATH
  if (configuredPath) return isExecutable(configuredPath) ? configuredPath : undefined
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = programs.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...candidates, chromium.executablePath()].find(isExecutable)
}

export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Otherwise service workers are refused on an untrusted certificate, whatever Playwright ignores.
  '--ignore-certificate-errors',
]

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
