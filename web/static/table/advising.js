// What a table's page loads when the table advises.

import { use } from "../shared/advice.js";
import * as advising from "../shared/advising.js";

use(advising);
