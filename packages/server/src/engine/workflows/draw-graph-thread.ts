/** The thread of lay-out-workflow.ts that runs elkjs, which is large and only loaded here. */
import { handleMessages } from '../threads/handle-messages.ts';
import { drawGraph } from './draw-graph.ts';

handleMessages(drawGraph);
