/**
 * Decides where a window goes: whole, onto a screen that is there, and beside the main window where nothing else is known. Pure; CSS px.
 */
import type { WindowBounds } from './window-bounds.ts'

/** Narrower than any panel needs to be, but possible for all of them. */
const MIN_WIDTH = 320
const MIN_HEIGHT = 240

const PANEL_WIDTH = 420

/** A window that is opened over another one is shifted, to show that there are two. */
const CASCADE_STEP = 32

const right = ({ left, width }: WindowBounds): number => left + width
const bottom = ({ top, height }: WindowBounds): number => top + height

const clamp = (low: number, value: number, high: number): number => Math.max(low, Math.min(value, high))

function sharedArea(a: WindowBounds, b: WindowBounds): number {
  const width = Math.min(right(a), right(b)) - Math.max(a.left, b.left)
  const height = Math.min(bottom(a), bottom(b)) - Math.max(a.top, b.top)
  return width > 0 && height > 0 ? width * height : 0
}

function distanceBetween(a: WindowBounds, b: WindowBounds): number {
  const x = a.left + a.width / 2 - (b.left + b.width / 2)
  const y = a.top + a.height / 2 - (b.top + b.height / 2)
  return Math.hypot(x, y)
}

/** The screen that has most of the bounds, else the nearest: a screen may have been unplugged. */
export function screenOf(bounds: WindowBounds, screens: readonly WindowBounds[]): WindowBounds | undefined {
  return screens.toSorted(
    (a, b) =>
      sharedArea(bounds, b) - sharedArea(bounds, a) ||
      distanceBetween(bounds, a) - distanceBetween(bounds, b),
  )[0]
}

/** The wanted bounds, moved and made smaller until they are whole on a screen that is there. */
export function fitToScreens(wanted: WindowBounds, screens: readonly WindowBounds[]): WindowBounds {
  const screen = screenOf(wanted, screens)
  if (!screen) return wanted
  const width = clamp(Math.min(MIN_WIDTH, screen.width), wanted.width, screen.width)
  const height = clamp(Math.min(MIN_HEIGHT, screen.height), wanted.height, screen.height)
  return {
    left: clamp(screen.left, wanted.left, right(screen) - width),
    top: clamp(screen.top, wanted.top, bottom(screen) - height),
    width,
    height,
  }
}

/**
 * The bounds for a window that never stood anywhere: to the right of the main one, else to its left, else on another screen, else over
 * its right edge. It is shifted one step for each window that stands there already.
 */
export function boundsBeside(
  main: WindowBounds,
  screens: readonly WindowBounds[],
  taken: readonly WindowBounds[] = [],
): WindowBounds {
  const mainScreen = screenOf(main, screens) ?? main
  const otherScreen = screens.find((screen) => screen !== mainScreen)
  const column = { top: main.top, width: PANEL_WIDTH, height: main.height }
  const candidates: WindowBounds[] = [
    { ...column, left: right(main) },
    { ...column, left: main.left - PANEL_WIDTH },
  ].filter(({ left }) => left >= mainScreen.left && left + PANEL_WIDTH <= right(mainScreen))
  if (otherScreen)
    candidates.push({ ...column, left: otherScreen.left, top: otherScreen.top, height: otherScreen.height })
  const freeCandidate = candidates.find((place) => taken.every((window) => sharedArea(window, place) === 0))
  const lastCandidate = candidates.at(-1) ?? { ...column, left: right(main) - PANEL_WIDTH }
  return fitToScreens(freeCandidate ?? cascaded(lastCandidate, taken), screens)
}

function cascaded(bounds: WindowBounds, taken: readonly WindowBounds[]): WindowBounds {
  const isTaken = taken.some(
    ({ left, top }) => Math.abs(left - bounds.left) < 8 && Math.abs(top - bounds.top) < 8,
  )
  return isTaken
    ? cascaded({ ...bounds, left: bounds.left - CASCADE_STEP, top: bounds.top + CASCADE_STEP }, taken)
    : bounds
}
