/**
 * Names a proposed change by its place in the base and by what it proposes, in some 20 letters: where the author writes on, it is another
 * change, and what was decided about the former one no longer applies.
 */
export const changeKeyOf = (...parts: readonly (string | number)[]): string => {
  const text = JSON.stringify(parts)
  return hashOf(text, 1) + hashOf(text, 2)
}

/** 53 bits of cyrb53 (bryc, public domain). Not against forgery: who forges a key only loses their own proposal's decision. */
function hashOf(text: string, seed: number): string {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36)
}
