/** Leaves steps out of a script for as long as it fails in the same way. */
import type { Script, ScriptStep } from './script.ts'

export function shortenScript(script: Script, failsAlike: (script: Script) => boolean): Script {
  let { steps } = script
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < steps.length;) {
      const shorter: ScriptStep[] = [...steps.slice(0, at), ...steps.slice(at + size)]
      if (failsAlike({ ...script, steps: shorter })) steps = shorter
      else at += size
    }
  }
  return { ...script, steps }
}
