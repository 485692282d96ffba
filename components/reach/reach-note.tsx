import type { Reach } from './addresses'
import { strings } from '@/lib/strings/devices.ts'

/** Why another device might not come by these addresses. */
export function ReachNote({ reach }: { reach: Reach }) {
  if (reach.onlyHere) return <p className="text-muted">{strings.code.onlyHere}</p>
  if (!reach.warns) return null
  return <p className="text-muted">{strings.code.warns}</p>
}
