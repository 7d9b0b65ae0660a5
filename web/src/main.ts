// Builds the page and starts it.
import './styles/base.css';
import './styles/layout.css';
import './styles/panels.css';
import './styles/plots.css';
import './styles/transport.css';
import './styles/view.css';
import './styles/play.css';
import './styles/dialogs.css';
import './styles/guide.css';
import './styles/firstWords.css';
import './styles/small.css';
import './styles/forced.css';
import { App } from './app';

// Without its style sheet it would be bare and of no use: start.js says so in its place.
if (getComputedStyle(document.documentElement).getPropertyValue('--page')) {
  document.querySelector('#start')?.remove();
  new App(document.body).start();
}
