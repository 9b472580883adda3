export { isNodeTooOld, OLDEST_NODE, oldNodeAdvice } from "./node-version.ts";
