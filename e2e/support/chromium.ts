/** Finds a Chromium: a named one, the system's, or Playwright's own. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** It shows no window, and opens a page in two thirds of the time. */
const headlessNames = ['chromium-headless-shell']

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
]

export const noChromium =
  'No Chromium was found: install one ("apt-get install chromium" on Debian, "npx playwright install chromium" elsewhere) or set CHROMIUM_PATH to its executable.'

/** The browser that Playwright drives: one without windows of its own, where it is installed. */
export const findChromium = (): string | undefined => find([...headlessNames, ...names])

/** The whole browser that a person has, whose tabs come into view and are hidden. */
export const findBrowser = (): string | undefined => find(names)

function find(programs: readonly string[]): string | undefined {
  const named = process.env.CHROMIUM_PATH
  if (named) return executable(named) ? named : undefined
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = programs.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...candidates, chromium.executablePath()].find(executable)
}

export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Service workers are refused on an untrusted certificate otherwise, whatever Playwright ignores.
  '--ignore-certificate-errors',
]

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
