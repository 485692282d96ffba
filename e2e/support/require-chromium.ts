import { findChromium, noChromium } from './chromium.ts'

export default function requireChromium(): void {
  if (!findChromium()) throw new Error(noChromium)
}
