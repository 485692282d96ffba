import { useTheme } from 'next-themes'
import type { Theme } from '@/lib/desk/settings.ts'
import { useSettings } from './use-settings.ts'

/**
 * The theme that the person chose, as soon as they choose it. The page's own state follows only after the next paint, and a radio button
 * that shows that state would stand on the former choice until then.
 */
export function useChosenTheme(): Theme {
  const { theme: chosen } = useSettings()
  const { theme: applied = 'system' } = useTheme()
  return chosen ?? (applied as Theme)
}
