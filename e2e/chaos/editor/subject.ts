/** The binding that the chaos of editors is about: the page's own. */
export { bindingSubject as testedSubject } from './binding-subject.ts'
