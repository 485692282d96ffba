/** Where a window goes: onto a screen that is there, whole, beside the main window where nothing else is known. Pure; CSS px. */
import type { Bounds } from './bounds.ts'

/** Narrower than any panel needs to be, and what all of them can be. */
const MIN_WIDTH = 320
const MIN_HEIGHT = 240

const PANEL_WIDTH = 420

/** A window opened over another one shows that there are two. */
const STEP = 32

const right = ({ left, width }: Bounds): number => left + width
const bottom = ({ top, height }: Bounds): number => top + height

const between = (low: number, value: number, high: number): number => Math.max(low, Math.min(value, high))

function sharedArea(a: Bounds, b: Bounds): number {
  const width = Math.min(right(a), right(b)) - Math.max(a.left, b.left)
  const height = Math.min(bottom(a), bottom(b)) - Math.max(a.top, b.top)
  return width > 0 && height > 0 ? width * height : 0
}

function distance(a: Bounds, b: Bounds): number {
  const x = a.left + a.width / 2 - (b.left + b.width / 2)
  const y = a.top + a.height / 2 - (b.top + b.height / 2)
  return Math.hypot(x, y)
}

/** The screen that has most of it, else the nearest: a screen may have been unplugged. */
export function screenOf(bounds: Bounds, screens: readonly Bounds[]): Bounds | undefined {
  return screens.toSorted(
    (a, b) => sharedArea(bounds, b) - sharedArea(bounds, a) || distance(bounds, a) - distance(bounds, b),
  )[0]
}

/** The wanted bounds, moved and made smaller until they are whole on a screen that is there. */
export function fit(wanted: Bounds, screens: readonly Bounds[]): Bounds {
  const screen = screenOf(wanted, screens)
  if (!screen) return wanted
  const width = between(Math.min(MIN_WIDTH, screen.width), wanted.width, screen.width)
  const height = between(Math.min(MIN_HEIGHT, screen.height), wanted.height, screen.height)
  return {
    left: between(screen.left, wanted.left, right(screen) - width),
    top: between(screen.top, wanted.top, bottom(screen) - height),
    width,
    height,
  }
}

/**
 * For a window that never stood anywhere: to the right of the main one, else to its left, else on another screen, else over its
 * right edge; a step further for each window that stands there already.
 */
export function beside(main: Bounds, screens: readonly Bounds[], taken: readonly Bounds[] = []): Bounds {
  const home = screenOf(main, screens) ?? main
  const other = screens.find((screen) => screen !== home)
  const column = { top: main.top, width: PANEL_WIDTH, height: main.height }
  const places: Bounds[] = [
    { ...column, left: right(main) },
    { ...column, left: main.left - PANEL_WIDTH },
  ].filter(({ left }) => left >= home.left && left + PANEL_WIDTH <= right(home))
  if (other) places.push({ ...column, left: other.left, top: other.top, height: other.height })
  const free = places.find((place) => taken.every((window) => sharedArea(window, place) === 0))
  const last = places.at(-1) ?? { ...column, left: right(main) - PANEL_WIDTH }
  return fit(free ?? stepped(last, taken), screens)
}

function stepped(place: Bounds, taken: readonly Bounds[]): Bounds {
  const isTaken = taken.some(
    ({ left, top }) => Math.abs(left - place.left) < 8 && Math.abs(top - place.top) < 8,
  )
  return isTaken ? stepped({ ...place, left: place.left - STEP, top: place.top + STEP }, taken) : place
}
